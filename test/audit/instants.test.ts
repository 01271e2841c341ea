/** Stamps become numbers, and must compare as they did. */

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { audit, scenesOf } from "../../src/audit/index.js";
import { goodHistory, line, ttlMs } from "./good-history.js";

const day = 86_400_000_000_000n;

function momentsAt(stamps: readonly bigint[]) {
  const lines = stamps.map((at, index) => ({
    ...line(0, "gamma", { event: "fault", fault: String(index) }),
    at: String(at),
  }));
  return scenesOf(lines).flatMap(({ moments }) => moments);
}

/** Near each other, around any origin. */
const near = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }),
    fc.array(fc.bigInt({ min: -50n * day, max: 50n * day }), { minLength: 2, maxLength: 12 }),
  )
  .map(([origin, offsets]) => offsets.map((offset) => origin + offset));
const far = fc.array(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), { minLength: 2, maxLength: 12 });
/** With neighbours, so that a number in place of them would make them one. */
const crowded = far.map((stamps) => stamps.flatMap((at) => [at, at + 1n, at, at + 2n]));

describe("stamps as numbers", () => {
  test("within 104 days distances are exact", () => {
    fc.assert(
      fc.property(near, (stamps) => {
        const moments = momentsAt(stamps);
        const first = moments[0];
        for (const { ns, at } of moments) {
          expect(BigInt(ns - (first?.ns ?? 0))).toBe(at - (first?.at ?? 0n));
        }
      }),
      { seed: 5 },
    );
  });

  test("the order is exact, however far they lie apart and however close", () => {
    fc.assert(
      fc.property(fc.oneof(near, far, crowded), (stamps) => {
        const moments = momentsAt(stamps);
        for (const [index, after] of moments.entries()) {
          const before = moments[index - 1];
          if (before === undefined) continue;
          expect(before.at <= after.at).toBe(true);
          expect(before.ns < after.ns).toBe(before.at < after.at);
        }
      }),
      { seed: 6 },
    );
  });

  test.each(["0", "999999999999999", "1000000000000000", "99999999999000000", "-5000000000"])(
    "a history that begins at %s is judged as any other",
    (origin) => {
      const shift = (at: string) => String(BigInt(at) + BigInt(origin));
      const moved = goodHistory().map((entry) => ({
        ...entry,
        at: shift(entry.at),
        ...("until" in entry ? { until: shift(entry.until) } : {}),
      }));
      expect(audit(moved, { ttlMs }).counts).toEqual(audit(goodHistory(), { ttlMs }).counts);
      expect(audit(moved, { ttlMs }).violations).toEqual([]);
    },
  );

  test("a deadline one nanosecond too long is found also years after the first line", () => {
    const shift = (at: string) => String(BigInt(at) + 2_000n * day);
    const late = goodHistory().map((entry) => ({
      ...entry,
      at: shift(entry.at),
      ...("until" in entry ? { until: shift(entry.until) } : {}),
    }));
    const overlapping = late.map((entry) =>
      entry.event === "extended" && entry.node === "beta" ? { ...entry, until: shift("5010000001") } : entry,
    );
    const early = line(0, "harness", { event: "fault", fault: "boot" });
    expect(audit([early, ...late], { ttlMs }).violations).toEqual([]);
    const found = audit([early, ...overlapping], { ttlMs }).violations;
    expect(found.map(({ invariant }) => invariant)).toEqual(["I2"]);
    expect(found[0]?.message).toMatch(/both led for 0.000 ms$/);
  });
});
