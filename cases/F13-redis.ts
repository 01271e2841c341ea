import { expect } from "vitest";
import { realClock } from "../src/base/real-clock.js";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const stepsMs = [30_000, -30_000, -3_600_000, 3_600_000];

export const caseF13OnRedis = defineCase({
  id: "F13-redis",
  fault: "the wall clock of the leader's host steps by 30 s or an hour, either way, between its renewals",
  mustHold: "it renews on in the same term, and nobody else is elected",
  injected: "four steps of the wall clock that the leader reads, two renewals apart",
  mutants: ["03-wall-clock"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    let aheadMs = 0;
    const clock = { wallMs: () => realClock.wallMs() + aheadMs };
    const leader = await scene.candidate("leader", { clock });
    scene.stand(leader);
    const leadership = await scene.leads(leader);
    const follower = await scene.candidate("follower");
    scene.stand(follower);
    await scene.first(follower, "follows");
    for (const stepMs of stepsMs) {
      aheadMs += stepMs;
      stage.fault();
      expect(leadership.isCurrent).toBe(true);
      const renewed = await scene.nextRenewal(leader, nowMs());
      await scene.nextRenewal(leader, renewed.at);
      expect(leadership.isCurrent).toBe(true);
    }
    expect(scene.actors.flatMap(({ events }) => events.map(({ event }) => event))).toEqual([
      "elected",
      "follows",
    ]);
  },
});
