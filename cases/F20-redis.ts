import { expect } from "vitest";
import { nowMs, redisScene } from "./support/redis.js";
import { defineCase } from "./support/case.js";

const ttlMs = 3_000;
const beliefMs = ttlMs / 1.5;

export const caseF20OnRedis = defineCase({
  id: "F20-redis",
  fault: "the server answers a renewal at once, the reply comes 1.2 s later, and nothing after it",
  mustHold: "the reply still counts, and belief ends ttl / 1.5 after the send, not after the reply",
  injected: "the leader's proxy holds one reply, swallows every later request, and lets the reply go",
  mutants: ["03-from-reply", "12-late-answer-dropped"],
  faultCount: 2,
  staleCount: 1,
  async run(stage) {
    const scene = await redisScene(stage, { ttlMs });
    const { leader, leadership } = await scene.pair();
    await scene.nextRenewal(leader);
    leader.proxy.hold("to-client", { matching: '"state":"held"', times: 1 });
    const request = await leader.proxy.held();
    const heldAt = nowMs();
    leader.proxy.drop("to-server");
    // The request also names the write before it.
    const sent = leader.sends.findLast(({ record }) => request.includes(record.nonce));
    const sentAt = sent?.at ?? Number.NaN;
    await scene.until("most of the belief", () => (nowMs() > sentAt + 1_200 ? true : undefined));
    leader.proxy.release();
    const late = await scene.nextRenewal(leader, heldAt);
    expect(late.at - sentAt).toBeGreaterThan(1_200);
    expect(late.until - sentAt).toBeLessThanOrEqual(beliefMs);
    const lost = await scene.first(leader, "lost", heldAt);
    expect(lost).toMatchObject({ reason: "deadline", token: leadership.token });
    expect(leader.overdrawn(beliefMs, scene.records())).toBeUndefined();
    await scene.staleRefused(leader);
    stage.fault(leader.proxy.faults.hold + Math.min(1, leader.proxy.faults.drop));
  },
});
