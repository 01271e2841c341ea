import { expect } from "vitest";
import { nowMs, type RedisActor, redisScene } from "./support/redis.js";
import { heldWrite, liedTo } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB14OnRedis = defineCase({
  id: "B14-redis",
  fault:
    "exactly one renewal fails: no answer, a reset, a server that is a replica or that is loading its data",
  mustHold: "the next try comes well within the lease, the same term goes on, and one failure is told",
  injected:
    "one reply is swallowed; one connection is reset; one renewal is answered READONLY, one LOADING; four leaders",
  mutants: ["04-one-error-loses", "04-never-again"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    const silent = await scene.candidate("silent", { name: "silent" });
    const reset = await scene.candidate("reset", { name: "reset" });
    const readOnly = await liedTo(stage, scene, "read-only", { name: "read-only" });
    const loading = await liedTo(stage, scene, "loading", { name: "loading" });
    const met = async (leader: RedisActor, begin: () => { readonly count: number }) => {
      const leadership = await scene.lead(leader);
      await scene.nextRenewal(leader);
      const from = nowMs();
      const fault = begin();
      const failed = await scene.first(leader, "renewFailed", from);
      await scene.first(leader, "confirmed", failed.at);
      await scene.nextRenewal(leader);
      expect(leadership.isCurrent, leader.node).toBe(true);
      expect(fault.count, leader.node).toBe(1);
      stage.fault();
    };
    const matching = { matching: heldWrite, times: 1 };
    await Promise.all([
      met(silent, () => silent.proxy.drop("to-client", matching)),
      met(reset, () => reset.proxy.resetEvery(1, { of: "requests", ...matching })),
      met(readOnly.actor, () => {
        readOnly.liar.tell({
          matching: heldWrite,
          answer: "-READONLY You can't write against a read only replica.\r\n",
        });
        return readOnly.liar;
      }),
      met(loading.actor, () => {
        loading.liar.tell({
          matching: heldWrite,
          answer: "-LOADING Redis is loading the dataset in memory\r\n",
        });
        return loading.liar;
      }),
    ]);
  },
});
