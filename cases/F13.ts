import { expect } from "vitest";
import { defineCase } from "./support/case.js";

export const caseF13 = defineCase({
  id: "F13",
  fault: "the leader's wall clock steps by 30 s or an hour, either way",
  mustHold: "leading goes on, without an event",
  injected: "four steps of the wall clock, a minute apart, monotonic and boot time untouched",
  mutants: ["03-wall-clock"],
  faultCount: 4,
  async run(stage) {
    const leader = stage.candidate("leader");
    const leadership = await stage.lead(leader);
    for (const stepMs of [30_000, -30_000, -3_600_000, 3_600_000]) {
      leader.clock.jump("wall", stepMs);
      stage.fault();
      expect(leadership.isCurrent).toBe(true);
      await stage.world.advance(60_000);
      expect(leadership.isCurrent).toBe(true);
    }
    expect(leader.events).toHaveLength(1);
  },
});
