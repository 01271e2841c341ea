import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF45InLab = defineCase({
  id: "F45-lab",
  fault: "the store is out of memory: it refuses writes, evicts what has an expiry, or evicts any key",
  mustHold:
    "a record without an expiry outlives all but the last, under which the term ends at once and nobody takes at once",
  injected: "in the lab, a store refuses all writes for 6 s, then lets go what expires, then all keys",
  mutants: ["04-one-error-loses", "04-absent-retried", "05-absent-is-free"],
  async run(stage) {
    await playInLab(stage, "F45-out-of-memory");
  },
});
