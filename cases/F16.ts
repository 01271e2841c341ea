import { expect } from "vitest";
import { until } from "../test/support/virtual.js";
import { clockedStore } from "../test/support/clocked-store.js";
import { defineCase } from "./support/case.js";

export const caseF16 = defineCase({
  id: "F16",
  fault: "the clock of the store steps 30 s back",
  mustHold:
    "in both modes a dead leader is followed one ttl after it was last seen, and a live one keeps its lease though a candidate has read an age that is not true any more",
  injected:
    "in each mode: a step back under a leader that dies then, and one that puts right a clock that was 30 s ahead, while an answer with an age is on its way",
  mutants: ["02-takeover-unsent", "02-clock-alone"],
  faultCount: 4,
  async run(stage) {
    for (const expiry of ["observed", "store-clock"] as const) {
      const storeClock = stage.world.createClock();
      const shared = { store: clockedStore(storeClock), name: expiry, expiry };
      const leader = stage.candidate(`leader-${expiry}`, shared);
      await stage.lead(leader);
      await stage.world.advance(20_000);
      const next = stage.candidate(`next-${expiry}`, shared);
      storeClock.jump("wall", 30_000);
      next.wire.fate = ({ kind }) => (kind === "read" ? { replyAfterMs: 50 } : "normal");
      stage.stand(next);
      await stage.world.advance(20);
      storeClock.jump("wall", -30_000);
      stage.fault();
      stage.heal(next);
      await stage.world.advance(30_000);
      expect([leader.events, next.events].map(({ length }) => length)).toEqual([1, 0]);

      storeClock.jump("wall", -30_000);
      stage.fault();
      leader.clock.freeze();
      const diedAt = stage.world.nowMs;
      await until(stage.world, () => next.events.length > 0, 20_000);
      expect(stage.world.nowMs - diedAt).toBeGreaterThan(12_000);
      expect(stage.world.nowMs - diedAt).toBeLessThan(15_500);
    }
  },
});
