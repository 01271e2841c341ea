import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF46InLab = defineCase({
  id: "F46-lab",
  fault: "a replica that never had the grant takes over right after it",
  mustHold: "the second leader's token is higher, and the ledger refuses the first, which ends its term",
  injected: "in the lab, the replica lags, answers do not wait for it, and it takes over",
  mutants: ["G1-lower-accepted"],
  async run(stage) {
    await playInLab(stage, "F46-failover-right-after-a-grant");
  },
});
