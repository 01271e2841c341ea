import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { allowanceMs, kill, leaderlessMs, nextRenewal, untilMet } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

async function killLeader(stage: Stage, phaseMs: number): Promise<boolean> {
  const { crew, leader, follower, elected } = await redisPairFor(stage, { ttlMs });
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  await nextRenewal(leader);
  await pause(phaseMs);
  const { met, killedAt } = await kill(stage, leader, elected);
  if (!met) return false;
  const next = await follower.first("elected", killedAt);
  expect(next.token).toBeGreaterThan(elected.token ?? Number.POSITIVE_INFINITY);
  const afterMs = await leaderlessMs(crew, elected);
  expect(afterMs).toBeGreaterThanOrEqual(ttlMs - 1);
  expect(afterMs).toBeLessThan(promisedMs + allowanceMs);
  return true;
}

export const caseF01OnRedis = defineCase({
  id: "F01-redis",
  fault: "the leader is killed with kill -9, at two different points of its renewals",
  mustHold:
    "the other one leads no sooner than a ttl after the last renewal that the server wrote, no later than budget.leaderlessMs, with a higher token",
  injected: "SIGKILL to two leading processes, each pair on a Redis server of its own, at a ttl of 2 s",
  mutants: ["02-half-ttl", "02-renewals-ignored"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const points = [0, 160];
    await Promise.all(points.map(async (phaseMs) => untilMet(async () => killLeader(stage, phaseMs))));
  },
});
