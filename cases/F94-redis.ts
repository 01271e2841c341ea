import { caseF94 } from "./F94.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseF94OnRedis = defineCase({
  ...caseF94,
  id: "F94-redis",
  injected: `${caseF94.injected}; the ledger is under keys of a Redis server`,
  mutants: ["audit-unclaimed-unseen"],
  keeping: inRedis,
  alone: true,
});
