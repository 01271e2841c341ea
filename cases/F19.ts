import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF19 = defineCase({
  id: "F19",
  fault: "the way to the store takes 4 s there and back, for a minute",
  mustHold: "no belief lasts longer than ttl / 1.5 after the send of a write that was confirmed",
  injected: "each write is carried out after 2 s and answered after 2 s more",
  mutants: ["03-from-reply", "12-late-answer-dropped"],
  faultCount: 6,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    const write = leader.wire.write.bind(leader.wire);
    const confirmed: number[] = [stage.world.nowMs];
    const slow = stage.world.createClock();
    leader.wire.write = async (key, record, expected, call) => {
      const sentAt = stage.world.nowMs;
      const answer = await write(key, record, expected, call);
      await new Promise<void>((resolve) => void slow.setTimer(2_000, resolve));
      if (answer.kind === "written") confirmed.push(sentAt);
      return answer;
    };
    leader.wire.fate = ({ kind }) => (kind === "write" ? { executeAfterMs: 2_000 } : "normal");
    let ledMs = 0;
    for (let step = 0; step < 600; step += 1) {
      await stage.world.advance(100);
      const ageMs = stage.world.nowMs - Math.max(...confirmed);
      expect(leadership.remainingMs()).toBeLessThanOrEqual(Math.max(0, 10_000 - ageMs) + 0.01);
      if (leadership.isCurrent) ledMs += 100;
    }
    // Answers after the timeout still count.
    expect(ledMs).toBe(60_000);
  },
});
