/**
 * `createTestElection`: the shipped core, runner and election layer, on a clock and a store that a test controls.
 *
 * Promise: no real timer, no I/O, and the same run every time; nothing keeps the process alive. Non-promise: work
 * that does real I/O is not waited for, since virtual time knows nothing of it.
 */

import { duration, knownOnly } from "../base/options.js";
import { createChance } from "../base/seeded-chance.js";
import { createVirtualWorld } from "../base/virtual-clock.js";
import { buildElection } from "../election/election.js";
import { commonOptionNames } from "../election/options.js";
import { lease } from "../lease/lease.js";
import { longestTtlMs, shortestTtlMs } from "../lease/store.js";
import type { TestElection, TestElectionOptions } from "./api.js";
import { Controls } from "./controls.js";
import { createFailingStore } from "./failing-store.js";
import { createSleep } from "./sleep.js";

const longestStepMs = 86_400_000;

/**
 * One candidate and the only one, on a clock that stands still until the test moves it.
 *
 * @throws INVALID_OPTION (a RangeError or TypeError) naming option, value and range.
 */
export function createTestElection(options: TestElectionOptions): TestElection {
  const { ttlMs: asked = 15_000, ...common } = options;
  knownOnly(options, [...commonOptionNames, "ttlMs"]);
  const ttlMs = duration("ttlMs", asked, shortestTtlMs, longestTtlMs);
  const world = createVirtualWorld();
  const clock = world.createClock();
  const failing = createFailingStore(ttlMs);
  const election = buildElection(
    lease({ store: failing.store, ttlMs }),
    // The default is random, which a test of two runs would see.
    { node: "test", ...common },
    { clock, chance: createChance(1) },
  );
  const controls = new Controls({ world, failing, election, ttlMs });
  return {
    election,
    get nowMs() {
      return world.nowMs;
    },
    elect: async () => controls.elect(),
    loseNow: async (reason = "superseded") => controls.loseNow(reason),
    goUncertain: async () => controls.goUncertain(),
    recover: async () => controls.recover(),
    block: (ms) => world.skip(duration("ms", ms, 0, longestStepMs)),
    advance: async (ms) => world.advance(duration("ms", ms, 0, longestStepMs)),
    sleep: createSleep(clock),
  };
}
