import { caseB34 } from "./B34.js";
import { defineCase } from "./support/case.js";
import { inPostgres } from "./support/keeping-postgres.js";

export const caseB34OnPostgres = defineCase({
  ...caseB34,
  id: "B34-postgres",
  injected: `${caseB34.injected}; the resources are on a PostgreSQL server`,
  mutants: ["G8-mark-ignored", "G8-begun-unmarked"],
  keeping: inPostgres,
});
