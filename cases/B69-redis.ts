import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB69OnRedis = defineCase({
  id: "B69-redis",
  fault: "the leader is told that it has lost, while its renewals would still succeed",
  mustHold: "no renewal of that term is sent any more, so others are not kept waiting, and one leads soon",
  injected: "the key is deleted for one renewal and then put back as it was, text by text",
  mutants: ["04-absent-retried"],
  async run(stage) {
    const scene = await redisScene(stage, { recordsJudged: false });
    const { leader, follower, leadership } = await scene.pair();
    await scene.nextRenewal(leader);
    const value = String(await scene.server.command("GET", recordKey));
    const deletedAt = nowMs();
    await scene.server.command("DEL", recordKey);
    stage.fault();
    const lost = await scene.first(leader, "lost", deletedAt);
    expect(lost.reason).toBe("store-lost");
    await scene.server.command("SET", recordKey, value);
    const next = await scene.until(
      "a new leader",
      () => [leader, follower].flatMap((actor) => actor.all("elected", deletedAt))[0],
    );
    expect(next.token).toBeGreaterThan(leadership.token);
    const later = scene
      .records()
      .filter(
        ({ at, record }) =>
          at > lost.at && typeof record !== "string" && record.writer === leadership.fence.owner,
      );
    // What stands there again was put there by hand.
    expect(
      later.filter(({ record }) => typeof record !== "string" && record.state === "held").length,
    ).toBeLessThanOrEqual(1);
    expect(next.at - lost.at).toBeLessThan(leader.election.budget.leaderlessMs * 2 + 1_000);
  },
});
