import { caseF93 } from "./F93.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseF93OnRedis = defineCase({
  ...caseF93,
  id: "F93-redis",
  injected: `${caseF93.injected}; the resources are under keys of a Redis server`,
  mutants: ["G5-work-before-claims", "G5-order-as-given"],
  keeping: inRedis,
  alone: true,
});
