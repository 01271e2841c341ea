import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF87InLab = defineCase({
  id: "F87-lab",
  fault: "a write is applied and its answer is lost, or is lost itself",
  mustHold: "it is applied once",
  injected: "in the lab, two answers and one write to the ledger are lost",
  mutants: ["G3-duplicate-applied"],
  async run(stage) {
    await playInLab(stage, "F87-answer-to-a-write-lost");
  },
});
