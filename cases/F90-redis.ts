import { caseF90 } from "./F90.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseF90OnRedis = defineCase({
  ...caseF90,
  id: "F90-redis",
  injected: `${caseF90.injected}; the ledger is under keys of a Redis server`,
  mutants: ["06-floor-ignored", "G4-stale-untold"],
  keeping: inRedis,
  alone: true,
});
