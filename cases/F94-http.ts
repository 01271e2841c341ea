import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF94OverHttp = defineCase({
  ...caseF94,
  id: "F94-http",
  injected: `${caseF94.injected}; the ledger is in a service over HTTP`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inHttp,
});
