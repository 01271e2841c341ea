import { caseB34 } from "./B34.js";
import { defineCase } from "./support/case.js";
import { inRedis } from "./support/keeping-redis.js";

export const caseB34OnRedis = defineCase({
  ...caseB34,
  id: "B34-redis",
  injected: `${caseB34.injected}; the resources are under keys of a Redis server`,
  mutants: ["G8-mark-ignored", "G8-begun-unmarked"],
  keeping: inRedis,
});
