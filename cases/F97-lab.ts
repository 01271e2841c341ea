import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF97InLab = defineCase({
  id: "F97-lab",
  fault: "a leader is told to stop, and its work goes on for longer than the drain",
  mustHold: "nothing is given back before the work has settled",
  injected: "in the lab, a leader with stubborn work is told to shut down",
  mutants: ["08-release-before-work"],
  async run(stage) {
    await playInLab(stage, "F97-stopped-with-a-stuck-job");
  },
});
