import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF28InLab = defineCase({
  id: "F28-lab",
  fault: "the store answers nobody for a minute",
  mustHold: "the leader stops at its deadline, nobody leads, and one leads again after it",
  injected: "in the lab, the store stalls",
  mutants: ["03-whole-ttl", "04-no-timeout"],
  async run(stage) {
    await playInLab(stage, "F28-store-is-gone-for-all");
  },
});
