import { defineCase } from "./support/case.js";
import { playInLab } from "./support/lab.js";

export const caseF15InLab = defineCase({
  id: "F15-lab",
  fault: "the clock of the store jumps 30 s ahead",
  mustHold: "the leader leads on, and nobody takes its lease",
  injected: "in the lab, the clock of the store jumps while leases are observed",
  mutants: ["02-clock-on-observed"],
  async run(stage) {
    await playInLab(stage, "F15-clock-of-the-store-ahead");
  },
});
