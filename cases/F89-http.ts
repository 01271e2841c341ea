import { caseF89 } from "./F89.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF89OverHttp = defineCase({
  ...caseF89,
  id: "F89-http",
  injected: `${caseF89.injected}; the ledger is in a service over HTTP`,
  mutants: ["G1-equal-from-anyone", "G4-conflict-untold"],
  keeping: inHttp,
});
