import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { allowanceMs, kill, leaderlessMs, nextRenewal, untilMet } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

async function killAt(stage: Stage, phaseMs: number): Promise<boolean> {
  const { crew, leader, follower, elected } = await redisPairFor(stage, { ttlMs, settleMs: 3_600_000 });
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  await nextRenewal(leader);
  await pause(phaseMs);
  const { met, killedAt } = await kill(stage, leader, elected);
  if (!met) return false;
  await follower.first("elected", killedAt);
  expect(promisedMs).toBeLessThan(ttlMs * 1.25);
  expect(await leaderlessMs(crew, elected)).toBeLessThan(promisedMs + allowanceMs);
  return true;
}

export const caseB58OnRedis = defineCase({
  id: "B58-redis",
  fault: "the leader is killed in the middle of work that takes an hour",
  mustHold: "somebody else leads within the bound that the election prints, however long the work takes",
  injected:
    "SIGKILL to two leading processes at random points of their renewals, each pair on a Redis server of its own",
  mutants: ["02-double-ttl"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const points = Array.from({ length: 2 }, () => (Math.random() * ttlMs) / 6);
    await Promise.all(points.map(async (phaseMs) => untilMet(async () => killAt(stage, phaseMs))));
  },
});
