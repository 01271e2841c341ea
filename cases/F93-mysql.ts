import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inMysql } from "./support/keeping-mysql.js";

export const caseF93OnMysql = defineCase({
  ...caseF93,
  id: "F93-mysql",
  injected: `${caseF93.injected}; the resources are on a MariaDB server`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inMysql,
});
