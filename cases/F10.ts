import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF10 = defineCase({
  id: "F10",
  fault: "the leader's host is suspended for a minute",
  mustHold: "the first check after waking is false, before any timer has run",
  injected: "monotonic time stands still for 60 s while boot time and wall clock go on",
  mutants: ["03-sleep-ignored"],
  staleCount: 1,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    const { signal } = leadership;
    leader.clock.suspend();
    await stage.world.advance(60_000);
    leader.clock.wake();
    stage.fault();
    expect(leadership.isCurrent).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(leader.events.at(-1)).toBe("lost deadline");
    await stage.supersede(leader);
  },
});
