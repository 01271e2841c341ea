import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF20InLab = defineCase({
  id: "F20-lab",
  fault: "the answer to a renewal comes 7 s late, and nothing after it",
  mustHold: "the deadline counts from the send of that renewal",
  injected: "in the lab, one answer is delayed and all later calls are lost",
  mutants: ["03-from-reply"],
  async run(stage) {
    await playInLab(stage, "F20-late-answer");
  },
});
