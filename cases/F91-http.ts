import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF91OverHttp = defineCase({
  ...caseF91,
  id: "F91-http",
  injected: `${caseF91.injected}; the ledger is in a service over HTTP`,
  mutants: ["G4-old-term-raises", "G1-lower-accepted"],
  keeping: inHttp,
});
