import { expect } from "vitest";
import { nowMs, type RedisScene, redisScene } from "./support/redis.js";
import { recordKey } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

const policies = [
  ...["noeviction", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"],
  ...["allkeys-lru", "allkeys-lfu", "allkeys-random"],
];
const ballast = "x".repeat(20_000);

/** Until the server has evicted more, or refuses. Answers whether it refused. */
async function fill({ server }: RedisScene, label: string, enough: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < 5_000; count += 1) {
    // Keys with an expiry, which policies of the volatile kind may evict.
    const told = await server
      .command("SET", `${label}:${count}`, ballast, "EX", "1000")
      .catch((cause: unknown) => cause);
    if (told instanceof Error) return true;
    if (count % 20 === 19 && (await enough())) return false;
  }
  throw new Error("the memory was never full");
}

async function evicted({ server }: RedisScene): Promise<number> {
  return Number((await server.info("stats"))["evicted_keys"]);
}

export const caseF45OnRedis = defineCase({
  id: "F45-redis",
  fault: "the server's memory is full, under each of its eight policies",
  mustHold:
    "a held record is never what is evicted under noeviction and volatile-*, where the same term goes on; under allkeys-* the store says that it may be, and when it is, the term ends at once",
  injected: "maxmemory just above what is used, keys with an expiry until something is evicted or refused",
  mutants: ["redis-lease-expires", "redis-eviction-unsaid"],
  faultCount: 8,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, monitored: false, recordsJudged: false });
    const { server } = scene;
    const leader = await scene.candidate("leader");
    const leadership = await scene.lead(leader);
    const used = Number((await server.info("memory"))["used_memory"]);
    await server.command("CONFIG", "SET", "maxmemory", String(used + 2_000_000));
    for (const policy of policies) {
      await server.command("CONFIG", "SET", "maxmemory-policy", policy);
      const visitor = await scene.candidate(`visitor under ${policy}`);
      await visitor.election.tryCampaign({ immediate: true });
      const finding = expect.objectContaining({ code: "REDIS_EVICTION", advisory: true }) as object;
      if (!policy.startsWith("allkeys-")) {
        expect(visitor.store.findings).not.toContainEqual(finding);
        const before = await evicted(scene);
        const full = await fill(scene, policy, async () => (await evicted(scene)) > before + 20);
        expect(full).toBe(policy === "noeviction");
        if (full)
          await server.command("EVAL", "for i = 0, 60 do redis.call('DEL', 'noeviction:' .. i) end", "0");
        await scene.nextRenewal(leader);
        expect(await server.command("PTTL", recordKey)).toBe(-1);
      } else expect(visitor.store.findings).toContainEqual(finding);
      stage.fault();
    }
    expect(leadership.isCurrent).toBe(true);
    const fullAt = nowMs();
    await fill(scene, "any", async () => (await server.command("EXISTS", recordKey)) === 0);
    expect(await scene.first(leader, "lost", fullAt)).toMatchObject({ reason: "store-lost" });
  },
});
