import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF13InLab = defineCase({
  id: "F13-lab",
  fault: "the wall clock of the leader jumps by up to an hour, in both ways",
  mustHold: "it leads on, and stops at its deadline",
  injected: "in the lab, the wall clock of the leader jumps four times, then the leader is cut off",
  mutants: ["03-wall-clock"],
  async run(stage) {
    await playInLab(stage, "F13-wall-clock-of-the-leader");
  },
});
