import { caseF92 } from "./F92.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseF92OnRedis = defineCase({
  ...caseF92,
  id: "F92-redis",
  injected: `${caseF92.injected}; the ledger is under keys of a Redis server`,
  mutants: ["G6-token-unbounded", "G6-token-by-the-clock"],
  keeping: inRedis,
  alone: true,
});
