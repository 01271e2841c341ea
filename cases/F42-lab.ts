import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF42InLab = defineCase({
  id: "F42-lab",
  fault: "the store restarts without its data",
  mustHold: "the holder stops at its next renewal, nobody takes at once, and the next token is higher",
  injected: "in the lab, a store that proves no absence is emptied and shows another epoch",
  mutants: ["04-absent-retried"],
  async run(stage) {
    await playInLab(stage, "F42-restarts-empty");
  },
});
