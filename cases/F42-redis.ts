import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF42OnRedis = defineCase({
  id: "F42-redis",
  fault: "the server is restarted, and keeps nothing over a restart",
  mustHold:
    "the leader ends its term at its next renewal; nobody takes the lease before a ttl has passed, not even who has never seen it; tokens go on rising",
  injected: "kill -9 of the server and a start without data, while a leader renews; then somebody new comes",
  mutants: ["redis-absence-by-marker", "04-absent-retried"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
    const { leader, follower, leadership } = await scene.pair();
    const killedAt = nowMs();
    await scene.restart({ data: "none" });
    const backAt = nowMs();
    stage.fault();
    scene.stand(await scene.candidate("fresh"));
    // It has never seen the name, and its store has watched the server for long.
    scene.stand(seatOn(scene, "fresh beside the leader", leader.store));
    const lost = await scene.first(leader, "lost", killedAt);
    // Where the machine took long to start the server, the deadline came first.
    const { until } = leader.extensions().at(-1) ?? { until: 0 };
    expect(until - backAt > scene.ttlMs / 3 ? ["store-lost"] : ["store-lost", "deadline"]).toContain(
      lost.reason,
    );
    const next = await scene.until(
      "a new leader",
      () => scene.actors.flatMap((actor) => actor.all("elected", killedAt))[0],
    );
    expect(next.at - killedAt).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(next.at - killedAt).toBeLessThan(leader.election.budget.leaderlessMs + 2 * allowanceMs);
    expect(next.token).toBeGreaterThan(leadership.token);
    expect(follower.store.findings).toContainEqual(
      expect.objectContaining({ code: "REDIS_NOT_PERSISTENT", advisory: false }),
    );
  },
});
