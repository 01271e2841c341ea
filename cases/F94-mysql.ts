import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inMysql } from "./support/keeping-mysql.js";

export const caseF94OnMysql = defineCase({
  ...caseF94,
  id: "F94-mysql",
  injected: `${caseF94.injected}; the ledger is on a MariaDB server`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inMysql,
});
