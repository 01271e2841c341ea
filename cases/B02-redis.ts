import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { longestBeliefMs } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB02OnRedis = defineCase({
  id: "B02-redis",
  fault: "a half-open connection hides the end of the lease: no packet arrives, and nobody says so",
  mustHold:
    "the loss is told, and the signal aborts, when the belief of the last answered renewal ends, not when TCP gives up",
  injected: "the leader's connection leads nowhere, and connects get no answer; nothing else happens",
  mutants: ["03-whole-ttl", "08-signal-not-aborted"],
  async run(stage) {
    const scene = await redisScene(stage);
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const { signal } = leadership;
    await scene.nextRenewal(leader);
    const fault = await leader.proxy.unanswered();
    const cutAt = nowMs();
    const lost = await scene.first(leader, "lost", cutAt);
    expect(lost).toMatchObject({ reason: "deadline" });
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ code: "LEADERSHIP_LOST" });
    const { until } = leader.extensions().at(-1) ?? { until: 0 };
    // What the machine made it late by, the library says itself.
    expect(lost.at - (lost.lateByMs ?? 0)).toBeLessThan(until + 20);
    expect(longestBeliefMs(leader)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
    stage.fault(fault.count);
    await fault.end();
  },
});
