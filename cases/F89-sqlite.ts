import { caseF89 } from "./F89.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF89OnSqlite = defineCase({
  ...caseF89,
  id: "F89-sqlite",
  injected: `${caseF89.injected}; the ledger is in a file of SQLite`,
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  keeping: inSqlite,
});
