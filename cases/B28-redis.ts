import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB28OnRedis = defineCase({
  id: "B28-redis",
  fault: "the record is evicted under memory pressure",
  mustHold:
    "whoever starts is told that it may be; the leader ends its term at its next renewal, the record is not created again in silence, and tokens go on rising",
  injected: "maxmemory and allkeys-random, and keys until the record has gone; then there is room again",
  mutants: ["redis-eviction-unsaid", "04-absent-retried"],
  async run(stage) {
    const config = { maxmemory: "8mb", "maxmemory-policy": "allkeys-random" };
    const scene = await redisScene(stage, {
      ttlMs: 3_000,
      monitored: false,
      recordsJudged: false,
      server: { config },
    });
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    expect(leader.store.findings).toContainEqual(
      expect.objectContaining({ code: "REDIS_EVICTION", advisory: true }),
    );
    const from = nowMs();
    const ballast = "x".repeat(50_000);
    for (let count = 0; (await scene.server.command("EXISTS", recordKey)) === 1; count += 1)
      await scene.server.command("SET", `ballast:${count}`, ballast);
    stage.fault();
    const lost = await scene.first(leader, "lost", from);
    expect(lost).toMatchObject({ reason: "store-lost", token: leadership.token });
    expect(await scene.server.command("EXISTS", recordKey)).toBe(0);
    await scene.server.command("FLUSHALL");
    await scene.server.command("CONFIG", "SET", "maxmemory", "0");
    await leadership.resign();
    const again = await scene.lead(leader);
    expect(nowMs() - lost.at).toBeGreaterThanOrEqual(scene.ttlMs);
    expect(again.token).toBeGreaterThan(leadership.token);
  },
});
