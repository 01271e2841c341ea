/** Chance by seed, each process with one of its own. */

import { createChance } from "../dist/base/seeded-chance.js";

/**
 * The same for the same seed and name; far apart for seeds and names that are close, since the
 * generator's first numbers follow its seed.
 *
 * @param {number} seed
 * @param {string} name
 * @returns {import("../dist/base/random.js").Chance}
 */
export function chanceOf(seed, name) {
  let state = seed;
  for (const character of name) state = (state * 48_271 + character.charCodeAt(0)) % 2_147_483_646;
  return createChance(state + 1);
}
