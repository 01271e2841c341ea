import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseF93OnPostgres = defineCase({
  ...caseF93,
  id: "F93-postgres",
  injected: `${caseF93.injected}; the resources are on a PostgreSQL server`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inPostgres,
});
