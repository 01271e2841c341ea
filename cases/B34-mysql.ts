import { caseB34 } from "./B34.js";
import { defineCase } from "./support/case.js";
import { inMysql } from "./support/keeping-mysql.js";

export const caseB34OnMysql = defineCase({
  ...caseB34,
  id: "B34-mysql",
  injected: `${caseB34.injected}; the resources are on a MariaDB server`,
  mutants: ["G8-mark-ignored", "G8-begun-unmarked"],
  keeping: inMysql,
});
