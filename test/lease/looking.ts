/** A candidate that looks at one record until it takes it. */

import { expect } from "vitest";
import type { Stored } from "../../src/lease/store.js";
import { Play } from "../support/core-play.js";

/** Candidates spread over 100 ms at most. */
const spreadMs = 100;

/** A candidate that has seen this at 0 ms, and sees the same again whenever it looks. */
export function seen(stored: Stored | undefined, config: ConstructorParameters<typeof Play>[0] = {}): Play {
  const play = new Play(config);
  play.stand();
  play.read(stored);
  return play;
}

/** When it writes, looking all the while at what `stored` answers. */
export function takenAt(play: Play, stored: () => Stored | undefined): number {
  const before = play.writes.length;
  for (let count = 0; play.writes.length === before; count += 1) {
    if (count > 500) throw new Error("it never takes");
    const { upper, lower } = play.core.nextTick();
    play.until(Math.max(play.ms, Math.min(upper, lower)));
    if (play.core.state.reading !== undefined) play.read(stored());
  }
  return play.ms;
}

export function expectWithin(ms: number, fromMs: number): void {
  expect(ms).toBeGreaterThanOrEqual(fromMs);
  expect(ms).toBeLessThanOrEqual(fromMs + spreadMs);
}
