import { caseF91 } from "./F91.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseF91OnRedis = defineCase({
  ...caseF91,
  id: "F91-redis",
  injected: `${caseF91.injected}; the ledger is under keys of a Redis server`,
  mutants: ["G4-old-term-raises", "redis-guard-lower-accepted"],
  keeping: inRedis,
  alone: true,
});
