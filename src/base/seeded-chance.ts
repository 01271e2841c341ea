/**
 * Chance that repeats itself: the same seed, the same run.
 *
 * Ids differ between seeds and calls, which is fresh enough for a keyspace that
 * nobody has used before. Never hand this to an election outside of tests.
 */

import type { Chance } from "./random.js";

/** `seed` is a whole number from 1 up. The generator is that of Park and Miller: small, and the same everywhere. */
export function createChance(seed: number): Chance {
  let state = seed;
  let ids = 0;
  return {
    id() {
      ids += 1;
      return `id-${seed}-${ids}`;
    },
    fraction() {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    },
  };
}
