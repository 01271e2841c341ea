import { expect } from "vitest";
import { pause } from "../test/processes/crew.js";
import { nextRenewal, wake } from "./support/crew.js";
import { redisPairFor } from "./support/redis-crew.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

const ttlMs = 3_000;
/** Longer than between two renewals, so that one is due at the end; with that still within the belief of 2 s. */
const stoppedMs = 800;
const requestTimeoutMs = 400;
/** What a busy machine may add. */
const scheduledMs = 200;

async function stopTwice(stage: Stage, phaseMs: number): Promise<void> {
  const { leader, follower, elected } = await redisPairFor(stage, { ttlMs });
  for (let round = 0; round < 2; round += 1) {
    await nextRenewal(leader);
    await pause(phaseMs);
    leader.signal("SIGSTOP");
    await pause(stoppedMs);
    const woke = await wake(stage, leader, stoppedMs);
    expect(woke).toMatchObject({ current: true, token: elected.token });
    const renewed = await nextRenewal(leader, woke.at);
    expect(renewed.at - woke.at).toBeLessThan(requestTimeoutMs + scheduledMs);
  }
  expect(leader.told.filter(({ event, at }) => event === "lost" && at > elected.at)).toEqual([]);
  expect(follower.told.filter(({ event, at }) => event === "elected" && at > elected.at)).toEqual([]);
}

export const caseF03OnRedis = defineCase({
  id: "F03-redis",
  fault:
    "the leader's process is stopped for less than its belief and continued, at four points of its renewals",
  mustHold: "it leads on in the same term and renews within one request timeout",
  injected:
    "SIGSTOP for 800 ms to two leading processes, each pair on a Redis server of its own, at a ttl of 3 s, twice each",
  mutants: ["04-renewals-rare"],
  faultCount: 4,
  alone: true,
  async run(stage) {
    await Promise.all([0, 240].map(async (phaseMs) => stopTwice(stage, phaseMs)));
  },
});
