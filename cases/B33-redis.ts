import { expect } from "vitest";
import { redisScene } from "./support/redis.js";
import { beside, markerKey, seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

const names = Array.from({ length: 60 }, (_, index) => `once-${index}`);
const monthMs = 2_592_000_000;

export const caseB33OnRedis = defineCase({
  id: "B33-redis",
  fault: "very many names are each used once, and never again, or only after their records have gone",
  mustHold:
    "each leaves one key, which goes by itself after tombstoneMs; nothing else stays, and a name used again gets a higher token",
  injected: "60 names led once by one process; then the server's clock is a month and a day further",
  mutants: ["redis-tombstone-stays", "redis-tombstone-in-seconds"],
  faultCount: 60,
  alone: true,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000, server: { clock: true }, recordsJudged: false });
    const { server } = scene;
    const store = beside(stage, scene);
    const tokens = await Promise.all(
      names.map(async (name) => {
        const once = seatOn(scene, name, store, { name });
        const leadership = await scene.lead(once);
        await leadership.resign();
        stage.fault();
        return leadership.token;
      }),
    );
    expect(await server.command("DBSIZE")).toBe(names.length + 1);
    const left = Number(await server.command("PTTL", `${markerKey}:once-0`));
    expect(left).toBeGreaterThan(monthMs - 3_600_000);
    expect(left).toBeLessThanOrEqual(monthMs);
    server.clock.jump(monthMs + 86_400_000);
    for (const name of names) expect(await server.command("EXISTS", `${markerKey}:${name}`), name).toBe(0);
    expect(await server.command("KEYS", "*")).toEqual([markerKey]);
    const again = await scene.candidate("again", { name: "once-0" });
    expect((await scene.lead(again)).token).toBeGreaterThan(tokens[0] ?? Number.POSITIVE_INFINITY);
  },
});
