import { caseF26 } from "./F26.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF26OnSqlite = defineCase({
  ...caseF26,
  id: "F26-sqlite",
  injected: `${caseF26.injected}; the ledger is in a file of SQLite`,
  mutants: ["G1-lower-accepted", "sql-watermark-not-raised"],
  keeping: inSqlite,
});
