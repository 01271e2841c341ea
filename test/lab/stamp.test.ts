import { expect, test } from "vitest";
import { msOf, stampOf } from "../../src/lab/world/stamp.js";

test("a stamp is the next whole nanosecond, in decimal, and reads back as it was", () => {
  const times = [
    0, 1e-6, 0.25, 0.999_999, 1, 1.000_001, 999.999_999, 1e6, 600_000.123_456_7, 86_400_000.000_001,
  ];
  for (const ms of times) {
    const ns = Math.ceil(ms * 1e6);
    expect(stampOf(ms)).toBe(String(ns));
    expect(msOf(stampOf(ms))).toBe(ns / 1e6);
  }
  for (let ms = 0.1; ms < 3e9; ms *= 1.003) expect(stampOf(ms)).toBe(String(Math.ceil(ms * 1e6)));
});
