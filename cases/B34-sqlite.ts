import { caseB34 } from "./B34.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseB34OnSqlite = defineCase({
  ...caseB34,
  id: "B34-sqlite",
  injected: `${caseB34.injected}; the resources are in a file of SQLite`,
  mutants: ["G8-mark-ignored", "G8-begun-unmarked"],
  keeping: inSqlite,
});
