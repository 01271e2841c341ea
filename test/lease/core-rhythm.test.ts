/** When a follower looks next, to the millisecond: locked to the holder's renewals, seldom at one that is silent. */

import { describe, expect, it } from "vitest";
import { createRhythm, type Look, lookFailed, looked, type Rhythm } from "../../src/lease/core-rhythm.js";

const ttlMs = 12_000;

/** The period is 2,000 ms, as a holder with this ttl renews. */
function look(rhythm: Rhythm, change: Look["change"], lower: number, seq = 1, fraction = 0): number {
  looked(rhythm, { change, lower, holder: { ttlMs, seq }, fraction });
  return rhythm.nextLower - lower;
}

function followed(): Rhythm {
  const rhythm = createRhythm(0, 5_000);
  look(rhythm, "changed", 0);
  return rhythm;
}

describe("a follower's looks", () => {
  it("when they begin, the first is due at once", () => {
    expect(createRhythm(7, 5_000)).toEqual({
      nextLower: 7,
      periodMs: 5_000,
      misses: 0,
      failures: 0,
      lastRise: undefined,
    });
  });

  it("when nobody holds the lease, each comes after half to all of a period, as chance has it", () => {
    const rhythm = createRhythm(0, 5_000);
    looked(rhythm, { change: "changed", lower: 100, holder: undefined, fraction: 0 });
    expect(rhythm.nextLower).toBe(2_600);
    looked(rhythm, { change: "same", lower: 2_600, holder: undefined, fraction: 1 });
    expect(rhythm.nextLower).toBe(7_600);
  });

  it("when a holder comes, its period is a sixth of its ttl, and a rise is looked for each eighth of it", () => {
    const rhythm = createRhythm(0, 5_000);
    expect(look(rhythm, "changed", 100)).toBe(250);
    expect(rhythm.periodMs).toBe(2_000);
  });

  it("when it stays silent, ten looks come that soon, and later ones at half of the pace", () => {
    const rhythm = followed();
    const pauses = Array.from({ length: 10 }, (_, count) => look(rhythm, "same", 250 * (count + 1)));
    expect(pauses).toEqual([...Array.from({ length: 9 }, () => 250), 1_000]);
  });

  it("when it renews, the next look comes a little less than a period later", () => {
    const rhythm = followed();
    expect(look(rhythm, "rose", 2_000, 2)).toBe(2_000 * (1 - 1 / 32));
    expect(look(rhythm, "rose", 4_000, 3, 1)).toBe(2_000 * (1 - 2 / 32));
  });

  it("when a look comes too early, the next ones follow after growing pauses, half a period at most", () => {
    const rhythm = followed();
    look(rhythm, "rose", 2_000, 2);
    const pauses = [1, 2, 3, 4, 5].map((count) => look(rhythm, "same", 4_000 + count, 2));
    expect(pauses).toEqual([250, 500, 1_000, 1_000, 1_000]);
    look(rhythm, "rose", 5_000, 3);
    expect(look(rhythm, "same", 6_000, 3)).toBe(rhythm.periodMs / 8);
  });

  it("when two rises were seen, the period is what lies between them, for each number", () => {
    const rhythm = followed();
    look(rhythm, "rose", 2_000, 2);
    look(rhythm, "rose", 4_400, 4);
    expect(rhythm.periodMs).toBe(1_200);
  });

  it("when the first rise is seen, it tells nothing about the period", () => {
    const rhythm = followed();
    look(rhythm, "rose", 700, 5);
    expect(rhythm.periodMs).toBe(2_000);
  });

  it("when rises are very near or very far, the period is a sixtieth of the ttl at least, a third at most", () => {
    const rhythm = followed();
    look(rhythm, "rose", 2_000, 2);
    look(rhythm, "rose", 2_001, 3);
    expect(rhythm.periodMs).toBe(200);
    look(rhythm, "rose", 9_000, 4);
    expect(rhythm.periodMs).toBe(4_000);
  });

  it("when another holder comes, what was measured is forgotten, and its silence begins anew", () => {
    const rhythm = followed();
    look(rhythm, "rose", 2_000, 2);
    for (let count = 0; count < 9; count += 1) look(rhythm, "same", 4_000 + count, 2);
    expect(look(rhythm, "changed", 5_000)).toBe(250);
    expect(look(rhythm, "same", 5_250)).toBe(250);
    look(rhythm, "rose", 9_000, 10);
    expect(rhythm.periodMs).toBe(2_000);
  });

  it("when a rise cannot be one, as its number has not risen, it measures nothing", () => {
    const rhythm = followed();
    look(rhythm, "rose", 2_000, 5);
    look(rhythm, "rose", 3_000, 5);
    expect(rhythm.periodMs).toBe(2_000);
  });

  it("when the store gives no answer, the next comes after pauses that double up to a period", () => {
    const rhythm = followed();
    const pauses = [0, 0, 0, 0, 0, 0, 1].map((fraction, count) => {
      lookFailed(rhythm, count, fraction);
      return rhythm.nextLower - count;
    });
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 2_000]);
    look(rhythm, "same", 10_000);
    lookFailed(rhythm, 20_000, 0);
    expect(rhythm.nextLower).toBe(20_100);
  });
});
