import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF21 = defineCase({
  id: "F21",
  fault: "replies are reordered: a renewal is answered before an older one",
  mustHold: "the deadline never moves back, nor beyond what the newest confirmed send gives",
  injected: "every third renewal is answered 4 s late, after the next one",
  mutants: ["03-from-reply", "04-lost-reply-unknown"],
  faultCount: 3,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    let count = 0;
    const sentAt: number[] = [0];
    leader.wire.fate = ({ kind }) => {
      if (kind !== "write") return "normal";
      sentAt.push(stage.world.nowMs);
      count += 1;
      return count % 3 === 1 ? { replyAfterMs: 4_000 } : "normal";
    };
    let deadline = 0;
    let late = 0;
    for (let step = 0; step < 600; step += 1) {
      await stage.world.advance(50);
      const next = stage.world.nowMs + leadership.remainingMs();
      expect(next).toBeGreaterThanOrEqual(deadline - 0.001);
      // A new deadline belongs to a send, not to the moment of its answer.
      const given = Math.min(...sentAt.map((at) => Math.abs(at + 10_000 - next)));
      expect(given).toBeLessThan(0.5);
      if (next > deadline && stage.world.nowMs - (next - 10_000) > 1_000) late += 1;
      deadline = next;
    }
    expect(leadership.isCurrent).toBe(true);
    expect(late).toBeGreaterThan(0);
  },
});
