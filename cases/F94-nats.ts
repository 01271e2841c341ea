import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inNats } from "./support/keeping-nats.js";

export const caseF94OnNats = defineCase({
  ...caseF94,
  id: "F94-nats",
  injected: `${caseF94.injected}; the ledger is in messages of a NATS server`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inNats,
});
