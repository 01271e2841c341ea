import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF04InLab = defineCase({
  id: "F04-lab",
  fault: "the leader stands still between its check and its write, which arrives in the term of another",
  mustHold: "the write is refused, and no update is lost",
  injected: "in the lab, a write to the ledger is 20 s on its way, and its sender is stopped",
  mutants: ["G1-lower-accepted"],
  async run(stage) {
    await playInLab(stage, "F04-between-check-and-write");
  },
});
