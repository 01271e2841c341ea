import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { allowanceMs, leaderlessMs, nextRenewal, untilMet, wake } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 2_000;

/** Stopped `phaseMs` after a renewal, and continued when another has led for a while. */
async function stopAndContinue(stage: Stage, phaseMs: number): Promise<boolean> {
  const { crew, leader, follower, elected } = await redisPairFor(stage, { ttlMs });
  const { leaderlessMs: promisedMs = 0 } = await follower.first("started");
  await nextRenewal(leader);
  await pause(phaseMs);
  const stoppedAt = leader.signal("SIGSTOP");
  if (leader.told.some(({ event, at }) => event === "lost" && at > elected.at)) return false;
  const next = await follower.first("elected", stoppedAt);
  const renewed = await nextRenewal(follower, next.at);
  const woke = await wake(stage, leader, renewed.at - stoppedAt);
  // Its very first look, before any timer or answer.
  expect(woke).toMatchObject({ current: false, token: elected.token });
  const lost = await leader.first("lost", elected.at);
  expect(lost).toMatchObject({ reason: "deadline", token: elected.token });
  expect(lost.lateByMs).toBeGreaterThan(ttlMs - ttlMs / 1.5);
  expect(lost.at - (lost.lateByMs ?? 0)).toBeLessThan(next.at);
  expect(leader.told.filter(({ event, at }) => event === "extended" && at > stoppedAt)).toEqual([]);
  expect(next.token).toBeGreaterThan(elected.token ?? Number.POSITIVE_INFINITY);
  expect(await leaderlessMs(crew, elected)).toBeLessThan(promisedMs + allowanceMs);
  // It follows, and the other one leads on.
  await leader.first("follows", woke.at);
  await nextRenewal(follower);
  expect(follower.told.filter(({ event, at }) => event === "lost" && at > next.at)).toEqual([]);
  return true;
}

export const caseF02OnRedis = defineCase({
  id: "F02-redis",
  fault: "the leader's process is stopped beyond its ttl and continued, when another one leads already",
  mustHold:
    "its first look finds itself not current, before any timer; lost says how late it comes; it follows",
  injected:
    "SIGSTOP and SIGCONT to two leading processes, each pair on a Redis server of its own, at a ttl of 2 s",
  mutants: ["03-cached-belief"],
  faultCount: 2,
  alone: true,
  async run(stage) {
    const points = [0, 170];
    await Promise.all(points.map(async (phaseMs) => untilMet(async () => stopAndContinue(stage, phaseMs))));
  },
});
