import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB32OnRedis = defineCase({
  id: "B32-redis",
  fault: "the whole store comes back empty under a leader and a follower, three times",
  mustHold:
    "the leader ends its term, the same objects elect again, and tokens never fall, not at the resource either",
  injected:
    "FLUSHALL, a restart without data, and FLUSHALL again, each under a leader that renews; one of two candidates has a shorter ttl than the store allows",
  mutants: ["04-absent-retried", "05-short-wait"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, recordsJudged: false });
    const actors = [await scene.candidate("a"), await scene.candidate("b", { ttlMs: 1_500 })];
    for (const actor of actors) scene.stand(actor);
    const leads = async () =>
      scene.until("a leader", () => actors.find(({ election }) => election.leadership !== undefined));
    for (const isRestart of [false, true, false]) {
      const leader = await leads();
      await scene.nextRenewal(leader);
      const wipedAt = nowMs();
      await (isRestart ? scene.restart({ data: "none" }) : scene.server.command("FLUSHALL"));
      stage.fault();
      const lost = await scene.first(leader, "lost", wipedAt);
      // A restart may take longer than the belief lasts.
      expect(isRestart ? ["store-lost", "deadline"] : ["store-lost"]).toContain(lost.reason);
      const next = await scene.until(
        "a new leader",
        () => actors.flatMap((actor) => actor.all("elected", wipedAt))[0],
      );
      expect(next.at - wipedAt).toBeGreaterThanOrEqual(scene.ttlMs);
    }
    await scene.nextRenewal(await leads());
    const elected = actors.flatMap((actor) => actor.all("elected")).toSorted((a, b) => a.at - b.at);
    const tokens = elected.map(({ token }) => token ?? 0);
    expect(tokens).toEqual([...new Set(tokens)].toSorted((a, b) => a - b));
    const claims = scene.ledger.history.flatMap((line) => {
      const { event, token } = JSON.parse(line) as { event: string; token: number };
      return event === "claimed" ? [token] : [];
    });
    expect(claims).toEqual(claims.toSorted((a, b) => a - b));
  },
});
