import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF31InLab = defineCase({
  id: "F31-lab",
  fault: "a renewal and a release reach the store twice",
  mustHold: "the second delivery changes nothing",
  injected: "in the lab, two writes arrive once more, one of them in the term of the successor",
  mutants: ["07-memory-no-compare"],
  async run(stage) {
    await playInLab(stage, "F31-delivered-twice");
  },
});
