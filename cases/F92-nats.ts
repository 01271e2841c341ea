import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inNats } from "./support/keeping-nats.js";

export const caseF92OnNats = defineCase({
  ...caseF92,
  id: "F92-nats",
  injected: `${caseF92.injected}; the ledger is on a NATS server`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inNats,
});
