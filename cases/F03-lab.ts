import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF03InLab = defineCase({
  id: "F03-lab",
  fault: "the process of the leader is stopped for 4 s, five times",
  mustHold: "it leads on in the same term",
  injected: "in the lab, the process of the leader is stopped at different points of its renewals",
  mutants: ["04-renewals-rare"],
  async run(stage) {
    await playInLab(stage, "F03-short-stops");
  },
});
