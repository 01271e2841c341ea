import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseF43OnRedis = defineCase({
  id: "F43-redis",
  fault: "the server is restarted from an older copy of its data",
  mustHold:
    "the leader ends its term at its next renewal, nobody takes the lease before a ttl has passed, and the next token is higher than any before",
  injected:
    "a snapshot early in the term; renewals; kill -9, and a start with the snapshot; then somebody new comes",
  mutants: ["04-rollback-ignored", "02-half-ttl"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const old = await scene.server.snapshot();
    for (let count = 0; count < 4; count += 1) await scene.nextRenewal(leader);
    const killedAt = nowMs();
    await scene.restart({ data: old });
    const backAt = nowMs();
    stage.fault();
    const fresh = await scene.candidate("fresh");
    scene.stand(fresh);
    const lost = await scene.first(leader, "lost", killedAt);
    // Where the machine took long to start the server, the deadline came first.
    const { until } = leader.extensions().at(-1) ?? { until: 0 };
    expect(until - backAt > scene.ttlMs / 3 ? ["store-lost"] : ["store-lost", "deadline"]).toContain(
      lost.reason,
    );
    expect(lost.token).toBe(leadership.token);
    const next = await scene.first(fresh, "elected", killedAt);
    expect(next.at - killedAt).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(next.token).toBeGreaterThan(leadership.token);
  },
});
