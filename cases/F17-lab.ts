import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF17InLab = defineCase({
  id: "F17-lab",
  fault: "the clock of the leader runs at 0.83, that of the follower at 1.23",
  mustHold: "the leader has stopped before the follower leads",
  injected: "in the lab, clocks run at these rates, and the leader is cut off",
  mutants: ["03-whole-ttl"],
  async run(stage) {
    await playInLab(stage, "F17-rates-within-the-bound");
  },
});
