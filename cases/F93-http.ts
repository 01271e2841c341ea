import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseF93OverHttp = defineCase({
  ...caseF93,
  id: "F93-http",
  injected: `${caseF93.injected}; the resources are in services over HTTP`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inHttp,
});
