import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inNats } from "./support/keeping-nats.js";

export const caseF90OnNats = defineCase({
  ...caseF90,
  id: "F90-nats",
  injected: `${caseF90.injected}; the ledger is in messages of a NATS server`,
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  keeping: inNats,
});
