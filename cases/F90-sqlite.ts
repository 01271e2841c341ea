import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF90OnSqlite = defineCase({
  ...caseF90,
  id: "F90-sqlite",
  injected: `${caseF90.injected}; the ledger is in a file of SQLite`,
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  keeping: inSqlite,
});
