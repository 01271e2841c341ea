import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF01InLab = defineCase({
  id: "F01-lab",
  fault: "the leader is killed between two renewals",
  mustHold: "nobody leads before one ttl after its last renewal, and another one right after that",
  injected: "in the lab, the process of the leader ends",
  mutants: ["02-half-ttl", "02-double-ttl"],
  async run(stage) {
    await playInLab(stage, "F01-leader-is-killed");
  },
});
