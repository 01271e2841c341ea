import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF94OnPostgres = defineCase({
  ...caseF94,
  id: "F94-postgres",
  injected: `${caseF94.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inPostgres,
});
