import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { heldWrite, longestBeliefMs, vacate } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

/** Two readings of the clock, one after the other. */
const clockSlackMs = 20;

export const caseB40OnRedis = defineCase({
  id: "B40-redis",
  fault: "the reply to the take is lost, and nobody else competes",
  mustHold: "the candidate recognises its own write and leads within its belief, not after a ttl",
  injected: "the proxy swallows the reply to the first take, and what comes after it on that connection",
  mutants: ["04-lost-take-unknown", "03-take-from-reply"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    await vacate(scene);
    const candidate = await scene.candidate("candidate");
    const fault = candidate.proxy.drop("to-client", { matching: heldWrite, times: 1 });
    const leadership = await scene.lead(candidate);
    expect(fault.count).toBe(1);
    const elected = await scene.first(candidate, "elected");
    const takes = () =>
      scene
        .records()
        .flatMap(({ record }) => (typeof record === "string" ? [] : [record]))
        .filter(({ token, seq }) => token === leadership.token && seq === 1);
    // The server's account comes over a connection of its own.
    const taken = await scene.until("the take in the server's account", () => takes()[0]);
    expect(takes()).toHaveLength(1);
    // Counted from the send of the take whose reply was lost. A renewal may have followed since.
    const sentAt = candidate.sends.find(({ record }) => record.nonce === taken.nonce)?.at ?? 0;
    expect(elected.at - sentAt).toBeLessThan(scene.ttlMs / 1.5);
    const { until = Number.POSITIVE_INFINITY } = elected;
    expect(until - sentAt).toBeLessThanOrEqual(scene.ttlMs / 1.5 + clockSlackMs);
    expect(longestBeliefMs(candidate)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
    stage.fault(fault.count);
  },
});
