import { expect } from "vitest";
import { clockedStore } from "../test/support/clocked-store.js";
import { defineCase } from "./support/case.js";

const ttlMs = 15_000;
/** A renewal and one request timeout. */
const noticedMs = ttlMs / 6 + (ttlMs * 2) / 15;

export const caseF15 = defineCase({
  id: "F15",
  fault: "the clock of the store steps 30 s forward under a leader that renews",
  mustHold:
    "where candidates observe, nothing happens; where the store's clock judges, which is advisory and says so, the leader loses at its next renewal",
  injected:
    "the same step under two elections, one in each mode, right after a renewal; no hint comes through",
  mutants: ["02-clock-on-observed", "02-clock-untold"],
  faultCount: 2,
  async run(stage) {
    for (const expiry of ["observed", "store-clock"] as const) {
      const storeClock = stage.world.createClock();
      // Hints are hints: with them the leader would know at once.
      const store = { ...clockedStore(storeClock), watch() {} };
      const shared = { store, name: expiry, expiry };
      const leader = stage.idle(`leader-${expiry}`, shared);
      const leadership = await stage.lead(leader);
      const next = stage.idle(`next-${expiry}`, shared);
      stage.stand(next);
      await stage.world.advance(30_000);
      const ensured = leadership.ensure(9_999);
      await stage.world.advance(1);
      await ensured;
      storeClock.jump("wall", 30_000);
      stage.fault();
      // It looks at once, where a follower in step waits for the next renewal.
      const late = stage.idle(`late-${expiry}`, shared);
      stage.stand(late);
      if (expiry === "observed") {
        await stage.world.advance(60_000);
        expect([leader, next, late].map(({ events }) => events.length)).toEqual([1, 0, 0]);
        expect(leader.election.status.belief).toBe("exclusive");
        continue;
      }
      expect(leader.election.status.belief).toBe("advisory");
      expect(leader.election.status.reasons.join()).toContain("store's clock");
      stage.advisory.set(expiry, noticedMs);
      await stage.world.advance(noticedMs);
      expect(leader.events.slice(1)).toEqual(["lost superseded"]);
      expect(late.election.leadership?.isCurrent).toBe(true);
    }
  },
});
