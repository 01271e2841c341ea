/**
 * The broken drivers, each with the one test that it must fail.
 *
 * They show that the suite can fail: run it over each of them in your own
 * runner, and the named test turns red. Never use them for anything else.
 */

import type { StoreCapabilities } from "../../lease/store.js";
import type { StoreTestId } from "../case.js";
import type { StoreHarness } from "../harness.js";
import { acknowledgedEarly } from "./acknowledged-early.js";
import { ageUnjudged } from "./age-unjudged.js";
import { deleteOnRelease } from "./delete-on-release.js";
import { registerCapabilities } from "./register.js";
import { repeatingVersion } from "./repeating-version.js";
import { watchAsTruth } from "./watch-as-truth.js";

export interface BrokenStore {
  readonly name: string;
  /** The test that fails over it. */
  readonly mustFail: StoreTestId;
  /** Tests that the same flaw may turn red too, as schedule and clocks have it; every other one passes. */
  readonly mayFail: readonly StoreTestId[];
  readonly capabilities: StoreCapabilities;
  readonly open: () => Promise<StoreHarness>;
}

export const brokenStores: readonly BrokenStore[] = [
  broken("repeating version", "recreated-key-conflicts", repeatingVersion),
  broken("acknowledged before visible", "acknowledged-is-visible", acknowledgedEarly),
  broken("watch as truth", "reads-are-truth-while-watching", watchAsTruth),
  // A forgotten token is made anew by a candidate's wall clock, which may be behind.
  broken("delete on release", "release-leaves-a-tombstone", deleteOnRelease, [
    "unsafe-counter-loses-nothing",
  ]),
  broken("age unjudged", "young-record-conflicts", ageUnjudged),
];

function broken(
  name: string,
  mustFail: StoreTestId,
  create: () => StoreHarness,
  mayFail: readonly StoreTestId[] = [],
): BrokenStore {
  return { name, mustFail, mayFail, capabilities: registerCapabilities, open: async () => create() };
}
