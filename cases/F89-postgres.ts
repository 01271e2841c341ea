import { caseF89 } from "./F89.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF89OnPostgres = defineCase({
  ...caseF89,
  id: "F89-postgres",
  injected: `${caseF89.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  keeping: inPostgres,
});
