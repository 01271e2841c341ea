import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF91OnPostgres = defineCase({
  ...caseF91,
  id: "F91-postgres",
  injected: `${caseF91.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  keeping: inPostgres,
});
