import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF35InLab = defineCase({
  id: "F35-lab",
  fault: "two processes run under the same node name",
  mustHold: "exactly one leads, and keeps its term",
  injected: "in the lab, the first two nodes share a name",
  mutants: ["01-node-as-identity"],
  async run(stage) {
    await playInLab(stage, "F35-one-name-twice");
  },
});
