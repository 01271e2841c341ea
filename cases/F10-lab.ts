import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF10InLab = defineCase({
  id: "F10-lab",
  fault: "the machine of the leader sleeps for a minute",
  mustHold: "its term is over when it wakes up",
  injected: "in the lab, the monotonic clock of the leader stands still, that of boot goes on",
  mutants: ["03-sleep-ignored"],
  async run(stage) {
    await playInLab(stage, "F10-machine-sleeps");
  },
});
