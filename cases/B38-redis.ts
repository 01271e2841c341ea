import { expect } from "vitest";
import { nowMs, pause, redisScene } from "./support/redis.js";
import { longestBeliefMs } from "./support/redis-seats.js";
import { defineCase } from "./support/case.js";

export const caseB38OnRedis = defineCase({
  id: "B38-redis",
  fault: "a candidate waits for ten ttls before it wins",
  mustHold: "its belief counts from the send of the take that won, not from the beginning of its wait",
  injected: "a leader that renews for ten ttls, and whose connections then lead nowhere",
  mutants: ["03-from-candidacy"],
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs: 1_000 });
    const holder = await scene.candidate("holder");
    scene.stand(holder);
    await scene.leads(holder);
    // A busy machine may cost the leader its term at any time; then this one waits on.
    const patient = { over: false };
    const waiting = await scene.candidate("waiting", { eligible: () => patient.over });
    const standsAt = nowMs();
    waiting.election.campaign().catch(() => {});
    await pause(scene.ttlMs * 10);
    patient.over = true;
    const fault = holder.proxy.halfOpen();
    const leadership = await scene.leads(waiting);
    const elected = await scene.first(waiting, "elected", standsAt);
    expect(elected.at - standsAt).toBeGreaterThan(scene.ttlMs * 10);
    const first = waiting.extensions()[0];
    // Most of it is left, also where the machine was slow to answer.
    expect((first?.until ?? 0) - elected.at).toBeGreaterThan(0);
    await scene.nextRenewal(waiting);
    expect(leadership.isCurrent).toBe(true);
    expect(longestBeliefMs(waiting)).toBeLessThanOrEqual(scene.ttlMs / 1.5);
    stage.fault(fault.count);
  },
});
