import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF90OverHttp = defineCase({
  ...caseF90,
  id: "F90-http",
  injected: `${caseF90.injected}; the ledger is in a service over HTTP`,
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  keeping: inHttp,
});
