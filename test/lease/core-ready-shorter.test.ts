/** When a lease may be taken that is shorter than others may be, in a store that may have forgotten a longer one. */

import { describe, expect, it } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import { type Play, shown } from "../support/core-play.js";
import { expectWithin, seen, takenAt } from "./looking.js";

describe("a lease that is shorter than others may be, in a store that proves nothing", () => {
  const short = { ttlMs: 6_000 };

  /** It has seen the epoch change at 2 s, and this lease in the new one at 5 s. */
  function comeBack(state: LeaseRecord["state"], config: ConstructorParameters<typeof Play>[0] = {}) {
    const play = seen(shown({ ...short, seq: 1 }), config);
    play.until(2_000);
    play.read(shown({ ...short, seq: 1 }, { epoch: "f" }));
    play.until(5_000);
    const stored = shown({ ...short, state, seq: 2 }, { epoch: "f" });
    play.read(stored);
    return { play, stored };
  }

  it.each(["held", "draining"] as const)(
    "when one that is %s has run out, it is taken once its epoch has been known for the longest ttl",
    (state) => {
      const { play, stored } = comeBack(state);
      const again = () => stored;
      expectWithin(takenAt(play, again), 5_000 + 6_000);
      expect(play.lastWrite).toMatchObject({ absence: "prove" });
      play.answer({ kind: "unproven", epoch: "f" });
      expectWithin(takenAt(play, again), 2_000 + 15_000);
      expect(play.lastWrite).toMatchObject({ expected: "v2", absence: "waited", takeover: "observed" });
    },
  );

  it("when its epoch has been known for that long already, it is taken at once after the doubt", () => {
    const { play } = comeBack("held");
    play.until(10_000);
    play.read(shown({ ...short, seq: 3 }, { epoch: "f" }));
    const later = shown({ ...short, seq: 4 }, { epoch: "f" });
    play.until(14_000);
    play.read(later);
    const askedAt = takenAt(play, () => later);
    expectWithin(askedAt, 14_000 + 6_000);
    play.answer({ kind: "unproven", epoch: "f" });
    expect(play.ms).toBe(askedAt);
    expect(play.writes.slice(-2).map(({ absence }) => absence)).toEqual(["prove", "waited"]);
  });

  it("when the doubt tells of yet another epoch, the wait begins with it", () => {
    const { play } = comeBack("held");
    const again = () => shown({ ...short, seq: 2 }, { epoch: "g" });
    const askedAt = takenAt(play, () => shown({ ...short, seq: 2 }, { epoch: "f" }));
    play.answer({ kind: "unproven", epoch: "g" });
    expectWithin(takenAt(play, again), askedAt + 15_000);
    expect(play.lastWrite).toMatchObject({ absence: "waited" });
  });

  it("when the holder renews meanwhile, its own ttl counts from there", () => {
    const { play, stored } = comeBack("held");
    takenAt(play, () => stored);
    play.answer({ kind: "unproven", epoch: "f" });
    play.until(16_000);
    const renewed = shown({ ...short, seq: 3 }, { epoch: "f" });
    play.read(renewed);
    expectWithin(
      takenAt(play, () => renewed),
      16_000 + 6_000,
    );
  });

  it("when the store's clock is to judge it, that clock comes after the wait", () => {
    const judged = (ageMs: number) => shown({ ...short, expiry: "store-clock" }, { ageMs });
    const play = seen(judged(4_000), { storeClock: true });
    expectWithin(play.untilWrite(), 2_000);
    expect(play.lastWrite).toMatchObject({ absence: "prove", takeover: "store-clock" });
    play.answer({ kind: "unproven", epoch: "e" });
    expectWithin(
      takenAt(play, () => judged(6_000)),
      15_000,
    );
    expect(play.lastWrite).toMatchObject({ absence: "waited", takeover: "observed" });
  });

  it("when the store's clock has judged it in an epoch that was known for long, that clock is asked again after the doubt", () => {
    const renewed = (seq: number, ageMs: number) =>
      shown({ ...short, expiry: "store-clock", seq }, { ageMs });
    const play = seen(renewed(1, 0), { storeClock: true });
    for (const seq of [2, 3, 4, 5, 6]) {
      play.until((seq - 1) * 4_000);
      play.read(renewed(seq, seq === 6 ? 4_000 : 0));
    }
    expectWithin(play.untilWrite(), 22_000);
    play.answer({ kind: "unproven", epoch: "e" });
    expectWithin(play.ms, 22_000);
    expect(play.lastWrite).toMatchObject({ absence: "waited", takeover: "store-clock" });
  });

  it("when it was given back or offered, the wait counts from the same instant", () => {
    for (const state of ["released", "offered"] as const) {
      const { play, stored } = comeBack(state);
      if (state === "offered") takenAt(play, () => stored);
      expect(play.lastWrite).toMatchObject({ absence: "prove" });
      play.answer({ kind: "unproven", epoch: "f" });
      expectWithin(
        takenAt(play, () => stored),
        2_000 + 15_000,
      );
      expect(play.lastWrite).toMatchObject({ absence: "waited" });
    }
  });

  it("when its ttl is the longest, nothing has to be proven", () => {
    const play = seen(shown());
    takenAt(play, () => shown());
    expect(play.lastWrite).toMatchObject({ absence: "waited" });
  });
});
