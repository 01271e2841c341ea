import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF92OverHttp = defineCase({
  ...caseF92,
  id: "F92-http",
  injected: `${caseF92.injected}; the ledger is in a service over HTTP`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inHttp,
});
