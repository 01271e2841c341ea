import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { markerKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB36OnRedis = defineCase({
  id: "B36-redis",
  fault: "a duration is taken for another unit on its way to the server, or multiplied twice",
  mustHold:
    "the server holds the ttl that was asked for, in milliseconds, after a take and after renewals, without an expiry of its own; a released record's is tombstoneMs",
  injected: "ttls of 2 s, 3 s and 5 s in one namespace, read without the driver",
  mutants: ["options-ttl-in-seconds", "redis-tombstone-in-seconds"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 5_000 });
    const [{ server }, tombstoneMs] = [scene, 90_000];
    await Promise.all(
      [2_000, 3_000, 5_000].map(async (ttlMs) => {
        const name = `of-${ttlMs}`;
        const [key, store] = [`${markerKey}:${name}`, { tombstoneMs }];
        const leader = await scene.candidate(name, { name, ttlMs, store });
        const leadership = await scene.lead(leader);
        for (let count = 0; count < 3; count += 1) {
          expect(leadership.remainingMs()).toBeLessThanOrEqual(ttlMs / 1.5);
          const [record] = String(await server.command("GET", key)).split("\n");
          expect(JSON.parse(record ?? "")).toMatchObject({ ttlMs, state: "held" });
          expect(await server.command("PTTL", key)).toBe(-1);
          await scene.nextRenewal(leader);
        }
        await leadership.resign();
        const left = Number(await server.command("PTTL", key));
        expect(left).toBeLessThanOrEqual(tombstoneMs);
        expect(left).toBeGreaterThan(tombstoneMs - 10_000);
        stage.fault();
      }),
    );
    expect(String(await server.command("GET", markerKey))).toContain('"maxTtlMs":5000}');
  },
});
