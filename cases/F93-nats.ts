import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inNats } from "./support/keeping-nats.js";

export const caseF93OnNats = defineCase({
  ...caseF93,
  id: "F93-nats",
  injected: `${caseF93.injected}; the resources are in messages of a NATS server`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inNats,
});
