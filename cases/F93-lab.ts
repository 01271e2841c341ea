import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF93InLab = defineCase({
  id: "F93-lab",
  fault: "a leader is killed while the answer to its first claim is on its way",
  mustHold: "it has acted on no resource, and its successor begins when it has claimed all of them",
  injected: "in the lab, the answer to a claim is delayed and its sender killed",
  mutants: ["G5-work-before-claims"],
  async run(stage) {
    await playInLab(stage, "F93-one-of-two-claimed");
  },
});
