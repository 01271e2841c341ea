import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;

export const caseF21OnRedis = defineCase({
  id: "F21-redis",
  fault: "replies come in another order: a renewal over a new connection is answered before an older one",
  mustHold: "the older reply moves no deadline, back or forth, and the leader stays in one term",
  injected:
    "the leader's proxy holds one reply until a later renewal was answered on another connection, three times",
  mutants: ["03-from-reply", "04-lost-reply-unknown", "redis-silence-unmeasured"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader, follower, leadership } = await scene.pair();
    for (let round = 0; round < 3; round += 1) {
      await scene.nextRenewal(leader);
      leader.proxy.hold("to-client", { matching: '"state":"held"', times: 1 });
      await leader.proxy.held();
      const heldAt = nowMs();
      const newer = await scene.until("a later renewal that is answered", () =>
        leader.extensions(heldAt).find(({ until }) => until - ttlMs / 1.5 > heldAt),
      );
      expect(leader.proxy.openCount).toBeGreaterThan(1);
      leader.proxy.release();
      await scene.nextRenewal(leader, newer.at);
    }
    const untils = leader.extensions().map(({ until }) => until);
    expect(untils).toEqual(untils.toSorted((a, b) => a - b));
    expect(leader.overdrawn(ttlMs / 1.5, scene.records())).toBeUndefined();
    expect(leadership.isCurrent).toBe(true);
    expect(leader.all("lost")).toEqual([]);
    expect(follower.all("elected")).toEqual([]);
    stage.fault(leader.proxy.faults.hold);
  },
});
