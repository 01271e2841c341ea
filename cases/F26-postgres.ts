import { caseF26 } from "./F26.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF26OnPostgres = defineCase({
  ...caseF26,
  id: "F26-postgres",
  injected: `${caseF26.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["G1-lower-accepted", "sql-watermark-not-raised"],
  keeping: inPostgres,
});
