import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { defineCase } from "./support/case.js";

export const caseF17 = defineCase({
  id: "F17",
  fault: "the leader's clocks run slower or faster than its follower's, by up to 1.49 : 1, and it is cut off",
  mustHold: "it has stopped before its successor begins",
  injected: "six rates of all three clocks of the leader, then nothing it sends arrives",
  mutants: ["03-whole-ttl"],
  faultCount: 6,
  staleCount: 3,
  async run(stage) {
    for (const [index, rate] of [1 / 1.49, 0.9, 0.99, 1.01, 1.1, 1.49].entries()) {
      const name = `job-${index}`;
      const leader = stage.candidate(`leader-${index}`, { name });
      const leadership = await stage.lead(leader);
      for (const reading of ["monotonic", "boot", "wall"] as const) leader.clock.setRate(reading, rate);
      const next = stage.candidate(`next-${index}`, { name });
      next.election.campaign().catch(() => {});
      await stage.world.advance(6_000);
      stage.cut(leader);
      await until(stage.world, () => next.events.length > 0, 40_000, 5);
      expect(leadership.isCurrent, `rate ${rate}`).toBe(false);
    }
  },
});
