import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF20 = defineCase({
  id: "F20",
  fault: "only the reply of a renewal is late, by 9 s",
  mustHold: "belief ends ttl / 1.5 after the send, not after the reply",
  injected: "each renewal is carried out at once and answered 9 s later",
  mutants: ["03-from-reply"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    leader.wire.fate = ({ kind }) => (kind === "write" ? { replyAfterMs: 9_000 } : "normal");
    await stage.world.advance(200);
    const sentAt = stage.world.nowMs;
    leadership.ensure(9_900).catch(() => {});
    await stage.world.advance(9_001);
    // The reply is there: it gives what is left of the 10 s since its send.
    expect(leadership.remainingMs()).toBeCloseTo(sentAt + 10_000 - stage.world.nowMs, 3);
    await stage.world.advance(1_000);
    expect(leadership.isCurrent).toBe(false);
    await stage.supersede(leader);
  },
});
