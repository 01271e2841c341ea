import process from "node:process";
import { Redis } from "ioredis";
import { expect } from "vitest";
import { redisStore } from "../src/stores/redis/index.js";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { seatOn } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB04OnRedis = defineCase({
  id: "B04-redis",
  fault: "the server is frozen for two ttls, and the client has a timeout of its own",
  mustHold: "nothing is thrown that nobody can catch; each failed try is told, and the loss at the deadline",
  injected:
    "SIGSTOP of the server under a leader whose client gives commands up, one whose client is the recipe, and one by URL",
  mutants: ["04-one-error-loses", "redis-rejection-escapes"],
  async run(stage) {
    const escaped: unknown[] = [];
    const note = (cause: unknown) => void escaped.push(cause);
    process.on("unhandledRejection", note).on("uncaughtException", note);
    stage.cleanUps.push(() => process.off("unhandledRejection", note).off("uncaughtException", note));
    const scene = await redisScene(stage);
    const client = new Redis(scene.server.url, { commandTimeout: 100 });
    client.on("error", () => {});
    stage.cleanUps.push(() => client.disconnect());
    const shared = redisStore(client, { maxTtlMs: scene.ttlMs, connection: "shared" });
    const leaders = [
      seatOn(scene, "shared", shared, { name: "shared" }),
      seatOn(scene, "copied", redisStore(client, { maxTtlMs: scene.ttlMs }), { name: "copied" }),
      await scene.candidate("by URL", { proxied: false }),
    ];
    await Promise.all(leaders.map(async (leader) => scene.lead(leader)));
    await Promise.all(leaders.map(async (leader) => scene.nextRenewal(leader)));
    const frozenAt = nowMs();
    await scene.server.freeze();
    stage.fault();
    await pause(scene.ttlMs * 2);
    scene.server.thaw();
    for (const leader of leaders) {
      const lost = await scene.first(leader, "lost", frozenAt);
      expect(lost.reason).toBe("deadline");
      const { until } = leader.extensions().at(-1) ?? { until: 0 };
      expect(lost.at - (lost.lateByMs ?? 0)).toBeLessThan(until + 20);
      expect(leader.all("renewFailed", frozenAt).length).toBeGreaterThan(0);
    }
    // Rejections that nobody took up are told after the microtasks of a turn.
    await pause(50);
    expect(escaped).toEqual([]);
  },
});
