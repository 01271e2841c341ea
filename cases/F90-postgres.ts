import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF90OnPostgres = defineCase({
  ...caseF90,
  id: "F90-postgres",
  injected: `${caseF90.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  keeping: inPostgres,
});
