import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF44InLab = defineCase({
  id: "F44-lab",
  fault: "the store is flushed while it runs, and shows the same identity",
  mustHold: "the holder stops at its next renewal, and those who saw the record wait",
  injected: "in the lab, the store is emptied and its epoch stays",
  mutants: ["04-absent-retried", "05-absent-is-free"],
  async run(stage) {
    await playInLab(stage, "F44-flushed");
  },
});
