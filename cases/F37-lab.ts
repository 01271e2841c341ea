import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF37InLab = defineCase({
  id: "F37-lab",
  fault: "an operator deletes the record while it is held",
  mustHold: "the holder stops at its next renewal, and whoever saw it waits",
  injected: "in the lab, the record is deleted",
  mutants: ["05-absent-is-free", "04-absent-retried"],
  async run(stage) {
    await playInLab(stage, "F37-record-is-deleted");
  },
});
