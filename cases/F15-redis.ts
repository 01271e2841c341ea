import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF15OnRedis = defineCase({
  id: "F15-redis",
  fault: "the server's clock steps 30 s ahead while somebody leads, twice",
  mustHold:
    "the leader renews on in the same term, and a follower that has just seen it waits like any other",
  injected:
    "the wall clock of the redis-server process, by libfaketime, while a renewal is held back; its own TIME shows the step",
  mutants: ["redis-expired-by-server-clock"],
  faultCount: 2,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, server: { clock: true } });
    const { leader, follower, leadership } = await scene.pair();
    for (const stepMs of [30_000, 30_000]) {
      // The record is as old as it gets: whoever goes by the server's clock would take it now.
      const holding = leader.proxy.hold("to-server", { matching: "EVALSHA" });
      await leader.proxy.held();
      const before = await scene.serverAheadMs();
      scene.server.clock.jump(stepMs);
      expect((await scene.serverAheadMs()) - before).toBeGreaterThan(stepMs - 1_000);
      stage.fault();
      const late = await scene.candidate(`late-${scene.actors.length}`);
      scene.stand(late);
      await scene.first(late, "follows");
      await holding.end();
      const renewed = await scene.nextRenewal(leader, nowMs());
      await scene.nextRenewal(leader, renewed.at);
    }
    expect(leadership.isCurrent).toBe(true);
    expect(leader.all("lost")).toEqual([]);
    expect(scene.leaders()).toEqual([leader.node]);
    expect(follower.all("elected")).toEqual([]);
  },
});
