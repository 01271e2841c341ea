import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";
import type { Stage } from "./support/stage.js";

export const caseF43OnRedis = defineCase({
  id: "F43-redis",
  fault: "the server is restarted from an older copy of its data",
  mustHold:
    "the leader ends its term at its next renewal, nobody takes the lease before a ttl has passed, and the next token is higher than any before",
  injected:
    "a snapshot early in the term, or of the tombstone before it; renewals; kill -9, and a start with the snapshot; then somebody new comes",
  mutants: ["04-rollback-ignored", "02-half-ttl", "05-tombstone-unasked"],
  faultCount: 2,
  async run(stage) {
    await Promise.all([rolledBack(stage, "held"), rolledBack(stage, "released")]);
  },
});

/** The copy holds the leader's own record, a few renewals old, or what its predecessor left when it gave the lease back. */
async function rolledBack(stage: Stage, copied: "held" | "released"): Promise<void> {
  const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
  const [before, leader] = [
    await scene.candidate(`${copied}-before`),
    await scene.candidate(`${copied}-leader`),
  ];
  await (await scene.lead(before)).resign();
  const tombstone = await scene.server.snapshot();
  const leadership = await scene.lead(leader);
  const old = copied === "held" ? await scene.server.snapshot() : tombstone;
  for (let count = 0; count < 4; count += 1) await scene.nextRenewal(leader);
  const killedAt = nowMs();
  await scene.restart({ data: old });
  const backAt = nowMs();
  stage.fault();
  const fresh = await scene.candidate(`${copied}-fresh`);
  scene.stand(fresh);
  const lost = await scene.first(leader, "lost", killedAt);
  // The predecessor's record, not an older one of its own: another term. Where the machine took long to start the server,
  // the deadline came first.
  const { until } = leader.extensions().at(-1) ?? { until: 0 };
  const definite = copied === "held" ? "store-lost" : "superseded";
  expect(until - backAt > scene.ttlMs / 3 ? [definite] : [definite, "deadline"]).toContain(lost.reason);
  expect(lost.token).toBe(leadership.token);
  const next = await scene.first(fresh, "elected", killedAt);
  expect(next.at - killedAt).toBeGreaterThanOrEqual(scene.ttlMs);
  expect(next.token).toBeGreaterThan(leadership.token);
}
