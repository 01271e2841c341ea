/** The shipped lease and the shipped election, on clocks and chance of the stage. */

import type { Chance } from "../../base/random.js";
import type { Clock } from "../../base/clock.js";
import type { Election } from "../../election/api.js";
import { buildElection } from "../../election/election.js";
import { lease } from "../../lease/lease.js";
import type { Store } from "../../lease/store.js";

export interface StagedElection {
  readonly name: string;
  readonly node: string;
  readonly ttlMs: number;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
}

export function openElection({ name, node, ttlMs, store, clock, chance }: StagedElection): Election {
  return buildElection(lease({ store, ttlMs }), { name, node }, { clock, chance });
}
