import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF92OnSqlite = defineCase({
  ...caseF92,
  id: "F92-sqlite",
  injected: `${caseF92.injected}; the ledger is in a file of SQLite`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inSqlite,
});
