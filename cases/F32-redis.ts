import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { heldWrite, vacate } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseF32OnRedis = defineCase({
  id: "F32-redis",
  fault: "a take is carried out a ttl after its caller gave up",
  mustHold: "nobody believes in it, it creates no lease, and others lead at once",
  injected: "the proxy holds the take on its way; the campaign's signal aborts, and then the take goes on",
  mutants: ["12-late-take-stays", "redis-sends-behind-silence"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 3_000 });
    await vacate(scene);
    const late = await scene.candidate("late");
    const held = late.proxy.hold("to-server", { matching: heldWrite });
    const abort = new AbortController();
    const campaign = late.election.campaign({ signal: abort.signal });
    await late.proxy.held(heldWrite);
    abort.abort(new Error("no longer wanted"));
    await expect(campaign).rejects.toThrow("no longer wanted");
    await pause(scene.ttlMs);
    await held.end();
    stage.fault(late.proxy.faults.hold);
    const next = await scene.candidate("next");
    const standsAt = nowMs();
    await scene.lead(next);
    expect(nowMs() - standsAt).toBeLessThan(scene.ttlMs / 1.5);
    expect(late.all("elected")).toEqual([]);
  },
});
