import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inNats } from "./support/keeping-nats.js";

export const caseF91OnNats = defineCase({
  ...caseF91,
  id: "F91-nats",
  injected: `${caseF91.injected}; the ledger is on a NATS server`,
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  keeping: inNats,
});
