import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;

export const caseF29OnRedis = defineCase({
  id: "F29-redis",
  fault: "the leader's link flaps, a tenth of the belief up and a tenth of it down, for two ttls",
  mustHold: "at most one change of leader, and the one that leads renews when it is over",
  injected: "the leader's proxy resets and refuses for 200 ms of every 400 ms, for 6 s",
  mutants: ["02-renewals-ignored"],
  faultCount: 10,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader } = await scene.pair();
    const startedAt = nowMs();
    const flapping = leader.proxy.flap({ downMs: 200, upMs: 200 });
    await scene.until("6 s", () => (nowMs() > startedAt + 2 * ttlMs ? true : undefined));
    stage.fault(flapping.count);
    await flapping.end();
    expect(scene.actors.flatMap((actor) => actor.all("elected")).length).toBeLessThanOrEqual(2);
    const now = await scene.until("one that leads", () =>
      scene.actors.find(({ election }) => election.leadership !== undefined),
    );
    await scene.nextRenewal(now);
  },
});
