import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;

export const caseF25OnRedis = defineCase({
  id: "F25-redis",
  fault:
    "every second call is reset with its connection: before the server sees it, and after the server has answered",
  mustHold: "the leader stays in one term",
  injected:
    "the leader's proxy resets at every second run of the script, 2.5 s on the way there, 2.5 s on the way back",
  mutants: ["04-one-error-loses", "04-never-again", "redis-link-kept-when-ended"],
  faultCount: 6,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader, follower, leadership } = await scene.pair();
    for (const delivered of [false, true]) {
      const startedAt = nowMs();
      const fault = leader.proxy.resetEvery(2, { of: "requests", matching: "EVALSHA", delivered });
      await scene.until("2.5 s", () => (nowMs() > startedAt + 2_500 ? true : undefined));
      await fault.end();
      expect(leadership.isCurrent).toBe(true);
    }
    await scene.nextRenewal(leader);
    expect(leader.all("renewFailed").length).toBeGreaterThan(2);
    expect(leader.all("lost")).toEqual([]);
    expect(follower.all("elected")).toEqual([]);
    stage.fault(leader.proxy.faults.reset);
  },
});
