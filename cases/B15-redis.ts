import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

export const caseB15OnRedis = defineCase({
  id: "B15-redis",
  fault: "the server refuses every write for half a ttl",
  mustHold: "nobody loses leadership",
  injected: "three leaders on a server that wants a replica it does not have, from a renewal on",
  mutants: ["04-one-error-loses"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 4_000 });
    const leaders = await Promise.all(
      ["a", "b", "c"].map(async (name) => scene.candidate(name, { name, proxied: false })),
    );
    const terms = await Promise.all(leaders.map(async (leader) => scene.lead(leader)));
    // All have just renewed, so that what is left of their beliefs is more than half a ttl.
    for (const term of terms) await term.ensure(scene.ttlMs / 1.5 - 50).catch(() => {});
    const from = nowMs();
    await scene.server.command("CONFIG", "SET", "min-replicas-to-write", "1");
    await pause(scene.ttlMs / 2);
    await scene.server.command("CONFIG", "SET", "min-replicas-to-write", "0");
    for (const leader of leaders) {
      const failed = leader.all("renewFailed", from);
      expect(failed[0]?.cause).toMatchObject({ code: "STORE_READ_ONLY" });
      stage.fault(Math.min(failed.length, 1));
      await scene.first(leader, "confirmed", from);
      expect(leader.all("lost")).toEqual([]);
    }
    expect(terms.every(({ isCurrent }) => isCurrent)).toBe(true);
  },
});
