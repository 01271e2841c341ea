import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;

export const caseF19OnRedis = defineCase({
  id: "F19-redis",
  fault: "the way to the server takes longer than a request may, there and back, for more than a ttl",
  mustHold:
    "late answers count: the leader leads on in one term, and no belief lasts longer than ttl / 1.5 after a send",
  injected:
    "the leader's proxy delays each message by 300 ms either way, at a request timeout of 400 ms, for 4 s",
  mutants: ["03-from-reply", "12-late-answer-dropped"],
  faultCount: 20,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader, follower, leadership } = await scene.pair();
    leader.proxy.delay({ toServerMs: 300, toClientMs: 300 });
    const startedAt = nowMs();
    await scene.until("4 s", () => (nowMs() > startedAt + 4_000 ? true : undefined));
    expect(leader.overdrawn(ttlMs / 1.5, scene.records())).toBeUndefined();
    expect(leadership.isCurrent).toBe(true);
    expect(leader.all("lost")).toEqual([]);
    expect(follower.all("elected")).toEqual([]);
    stage.fault(leader.proxy.faults.delay);
  },
});
