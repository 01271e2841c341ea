import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inSqlite } from "./support/keeping-sqlite.js";

export const caseF93OnSqlite = defineCase({
  ...caseF93,
  id: "F93-sqlite",
  injected: `${caseF93.injected}; the resources are in a file of SQLite`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inSqlite,
});
