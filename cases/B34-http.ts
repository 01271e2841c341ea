import { caseB34 } from "./B34.js";
import { defineCase } from "./support/case.js";
import { inHttp } from "./support/keeping-http.js";

export const caseB34OverHttp = defineCase({
  ...caseB34,
  id: "B34-http",
  injected: `${caseB34.injected}; the resources are behind a service over HTTP`,
  mutants: ["G8-mark-ignored", "G8-begun-unmarked"],
  keeping: inHttp,
});
