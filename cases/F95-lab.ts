import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF95InLab = defineCase({
  id: "F95-lab",
  fault: "a leader is asked to hand over while it works, twice",
  mustHold: "the other one leads at once, under a higher token, and no write is refused",
  injected: "in the lab, transfers are asked for under load",
  mutants: ["08-release-before-work"],
  async run(stage) {
    await playInLab(stage, "F95-planned-transfer");
  },
});
