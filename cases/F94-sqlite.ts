import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF94OnSqlite = defineCase({
  ...caseF94,
  id: "F94-sqlite",
  injected: `${caseF94.injected}; the ledger is in a file of SQLite`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inSqlite,
});
