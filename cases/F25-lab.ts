import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF25InLab = defineCase({
  id: "F25-lab",
  fault: "the connection is reset under every other write",
  mustHold: "the same term goes on",
  injected: "in the lab, six writes of the leader fail at once",
  mutants: ["04-one-error-loses", "04-never-again"],
  async run(stage) {
    await playInLab(stage, "F25-every-other-call-fails");
  },
});
