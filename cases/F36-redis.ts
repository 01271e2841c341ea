import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { allowanceMs, kill, nextRenewal, untilMet } from "./support/crew.js";
import { redisCrewFor } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

async function killAndRestart(stage: Stage, phaseMs: number): Promise<boolean> {
  const { crew } = await redisCrewFor(stage, { ttlMs });
  const killed = crew.start("same");
  const old = await killed.first("elected");
  const { at } = await nextRenewal(killed, old.at);
  await pause(phaseMs);
  const { met, killedAt } = await kill(stage, killed, old);
  if (!met) return false;
  const restarted = crew.start("same", { wallMs: -3_600_000 });
  const started = await restarted.first("started");
  const next = await restarted.first("elected");
  // It counts from its own first look: it knows of nothing that came before.
  expect(next.at - started.at).toBeGreaterThanOrEqual(ttlMs);
  expect(next.at - started.at).toBeLessThan((started.leaderlessMs ?? 0) + allowanceMs);
  expect(next.at - at).toBeGreaterThanOrEqual(ttlMs);
  expect(next.at - killedAt).toBeGreaterThanOrEqual(ttlMs);
  expect(next.token).toBeGreaterThan(old.token ?? Number.POSITIVE_INFINITY);
  expect(next.instance).not.toBe(old.instance);
  return true;
}

export const caseF36OnRedis = defineCase({
  id: "F36-redis",
  fault: "the leader is killed with kill -9 and started again at once under the same node id",
  mustHold: "the new process inherits nothing: it waits a ttl from its first look and gets a higher token",
  injected:
    "SIGKILL to two leading processes, each on a Redis server of its own, at a ttl of 2 s; the new ones' wall clocks are an hour behind",
  mutants: ["01-node-as-identity", "06-seed-only"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    await Promise.all([0, 170].map(async (phaseMs) => untilMet(async () => killAndRestart(stage, phaseMs))));
  },
});
