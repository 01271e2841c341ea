import { expect } from "vitest";
import { allowanceMs, nowMs, redisScene } from "./support/redis.js";
import { socketsTo } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB17OnRedis = defineCase({
  id: "B17-redis",
  fault: "the server takes connections and requests, and never answers: the first, a look, a take, a renewal",
  mustHold: "each call ends by a timeout of the library's own, and after stop no connection is left",
  injected:
    "connections that lead nowhere, from the beginning, from the first request on, and under a leader",
  mutants: ["04-no-timeout"],
  faultCount: 3,
  async run(stage) {
    const scene = await redisScene(stage);
    const leader = await scene.candidate("leader");
    await scene.lead(leader);
    const [never, asks] = [await scene.candidate("never"), await scene.candidate("asks")];
    await asks.election.tryCampaign({ immediate: true });
    const actors = [leader, never, asks];
    const faults = actors.map(({ proxy }) => proxy.halfOpen());
    const cutAt = nowMs();
    for (const { election } of [never, asks]) {
      const outcome = await election.tryCampaign().catch((cause: unknown) => cause);
      expect(["STORE_TIMEOUT", "STORE_UNREACHABLE"]).toContain((outcome as { code: string }).code);
    }
    expect(nowMs() - cutAt).toBeLessThan(scene.ttlMs * 1.6 + 2 * allowanceMs);
    expect((await scene.first(leader, "lost", cutAt)).reason).toBe("deadline");
    expect(leader.all("renewFailed", cutAt).length).toBeGreaterThan(0);
    for (const { election, store, proxy } of actors) {
      await election.stop({ drainMs: 0 });
      await store[Symbol.asyncDispose]();
      await scene.until("no connection is left", () => (socketsTo(proxy.port) === 0 ? true : undefined));
    }
    for (const { count } of faults) stage.fault(Math.min(count, 1));
  },
});
