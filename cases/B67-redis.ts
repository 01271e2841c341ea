import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB67OnRedis = defineCase({
  id: "B67-redis",
  fault: "the work fails at once on every node",
  mustHold: "terms come at growing, jittered pauses, not thousands a second",
  injected: "work that rejects at once on two nodes, for six ttls",
  mutants: ["09-pause-does-not-grow"],
  faultCount: 4,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 1_000 });
    const nodes = [await scene.candidate("a"), await scene.candidate("b")];
    const at: number[] = [];
    for (const { election } of nodes) {
      election
        .run(async () => {
          at.push(nowMs());
          stage.fault();
          throw new Error("no start");
        })
        .catch(() => {});
    }
    await scene.until("the first term", () => at[0]);
    await pause(scene.ttlMs * 6);
    expect(at.length).toBeGreaterThan(4);
    // Two nodes, each with pauses that double up to a ttl.
    expect(at.length).toBeLessThan(40);
  },
});
