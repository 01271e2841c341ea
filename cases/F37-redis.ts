import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF37OnRedis = defineCase({
  id: "F37-redis",
  fault: "an operator deletes the record under a living leader",
  mustHold:
    "the leader ends its term at its next renewal, nobody takes the lease before one ttl has passed, and tokens go on rising",
  injected: "DEL of the key, while a leader renews and a follower looks",
  mutants: ["04-absent-retried", "05-absent-is-free"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const { leader, leadership } = await scene.pair();
    const { renewMs, requestTimeoutMs } = { renewMs: scene.ttlMs / 6, requestTimeoutMs: scene.ttlMs / 7.5 };
    const deletedAt = nowMs();
    stage.fault(Number(await scene.server.command("DEL", recordKey)));
    const lost = await scene.first(leader, "lost", deletedAt);
    expect(lost.reason).toBe("store-lost");
    expect(lost.at - deletedAt).toBeLessThan(renewMs + requestTimeoutMs + allowanceMs);
    const next = await scene.until(
      "a new leader",
      () => scene.actors.flatMap((actor) => actor.all("elected", deletedAt))[0],
    );
    expect(next.at - deletedAt).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(next.at - deletedAt).toBeLessThan(leader.election.budget.leaderlessMs + allowanceMs);
    expect(next.token).toBeGreaterThan(leadership.token);
  },
});
