import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF91OnSqlite = defineCase({
  ...caseF91,
  id: "F91-sqlite",
  injected: `${caseF91.injected}; the ledger is in a file of SQLite`,
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  keeping: inSqlite,
});
