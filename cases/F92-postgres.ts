import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF92OnPostgres = defineCase({
  ...caseF92,
  id: "F92-postgres",
  injected: `${caseF92.injected}; the ledger is on a PostgreSQL server`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inPostgres,
});
