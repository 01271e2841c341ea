/** What an observer says of who leads, to the millisecond, and when expiry is judged by whose clock. */

import { describe, expect, it } from "vitest";
import { modeMismatch } from "../../src/lease/core-expiry.js";
import type { Effect } from "../../src/lease/core-types.js";
import { Play, shown } from "../support/core-play.js";

const views = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === "view" ? [effect.view] : []));

function watching(config: ConstructorParameters<typeof Play>[0] = {}): Play {
  const play = new Play(config);
  play.step({ type: "watch", on: true });
  return play;
}

/** Without looking again. */
function later(play: Play, ms: number): readonly Effect[] {
  play.ms = ms;
  return play.step({ type: "tick" });
}

describe("what an observer says", () => {
  it("when the store has not answered, it knows nothing, and says since when", () => {
    const play = watching();
    expect(views(play.effects)).toEqual([]);
    expect(play.core.state.view).toEqual({ kind: "unknown", sinceMs: 0 });
  });

  it("when the lease is held or draining, it names the holder until a ttl has passed without a renewal", () => {
    for (const state of ["held", "draining"] as const) {
      const play = watching();
      play.ms = 100;
      expect(views(play.read(shown({ state, metadata: { zone: "x" } })))).toEqual([
        { kind: "held", node: "b", token: 5, metadata: { zone: "x" }, self: false },
      ]);
      expect(views(later(play, 15_099))).toEqual([]);
      expect(views(later(play, 15_100))).toEqual([{ kind: "unknown", sinceMs: 0 }]);
    }
  });

  it("when it is noticed late that the holder is silent, it says for how long", () => {
    const play = watching();
    play.read(shown());
    expect(views(later(play, 19_000))).toEqual([{ kind: "unknown", sinceMs: 4_000 }]);
  });

  it("when the work of a lost term still runs, its own lease ages like any other", () => {
    const play = new Play();
    play.lead();
    play.step({ type: "watch", on: true });
    play.until(1_250);
    play.fail();
    play.until(14_999);
    expect(views(play.effects).at(-1)).toMatchObject({ kind: "held", self: false });
    expect(views(play.until(15_000))).toEqual([{ kind: "unknown", sinceMs: 0 }]);
  });

  it.each(["held", "draining"] as const)(
    "when only time ends the view of a lease that is %s, it asks to be told of that time, once",
    (state) => {
      const play = watching();
      play.read(shown({ state }));
      // A look is under way from here on.
      play.until(5_000);
      expect(play.core.nextTick().lower).toBe(15_000);
      play.until(15_000);
      expect(views(play.effects).at(-1)).toEqual({ kind: "unknown", sinceMs: 0 });
      expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
    },
  );

  it("when nobody watches or asks, time alone is no reason to be woken", () => {
    const play = watching();
    play.read(shown());
    play.until(5_000);
    play.step({ type: "watch", on: false });
    expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
  });

  it("when the lease is released or offered, it is vacant", () => {
    for (const state of ["released", "offered"] as const) {
      const play = watching();
      expect(views(play.read(shown({ state })))).toEqual([{ kind: "vacant" }]);
    }
  });

  it("when absence is proven it is vacant; else, or where a lease was seen before, nothing is known", () => {
    const proven = watching();
    expect(views(proven.read(undefined))).toEqual([{ kind: "vacant" }]);
    const unproven = watching({ provesAbsence: false });
    expect(views(unproven.read(undefined))).toEqual([]);
    const forgotten = watching();
    forgotten.read(shown());
    forgotten.until(5_000);
    expect(views(forgotten.read(undefined))).toEqual([{ kind: "unknown", sinceMs: 0 }]);
  });

  it("when the record cannot be read, or is older than one seen before, nothing is known", () => {
    const unreadable = watching();
    unreadable.read(shown());
    unreadable.until(5_000);
    expect(views(unreadable.read(shown({}, { body: "unreadable", version: "x" })))).toEqual([
      { kind: "unknown", sinceMs: 0 },
    ]);
    const older = watching();
    older.read(shown());
    older.until(5_000);
    expect(views(older.read(shown({ token: 4, instance: "third" })))).toEqual([
      { kind: "unknown", sinceMs: 0 },
    ]);
  });

  it("when nothing changes but the age of not knowing, it says nothing new", () => {
    const play = watching();
    play.read(shown({}, { body: "newer" }));
    expect(views(later(play, 9_000))).toEqual([]);
  });

  it("when another node, another token, or this very process leads, that is new; another renewal is not", () => {
    const play = watching();
    play.read(shown());
    const next = (fields: Parameters<typeof shown>[0]) => {
      play.until(play.ms + 5_000);
      return views(play.read(shown(fields)));
    };
    expect(next({ seq: 2 })).toEqual([]);
    expect(next({ seq: 2, node: "c" })).toMatchObject([{ node: "c", token: 5 }]);
    expect(next({ seq: 2, node: "c", token: 6 })).toMatchObject([{ node: "c", token: 6 }]);
  });

  it("when this process leads, it is named as self; when its term is over, what the store shows counts", () => {
    const play = new Play({ metadata: { zone: "y" } });
    play.lead();
    expect(views(play.effects)).toEqual([
      { kind: "vacant" },
      { kind: "held", node: "a", token: 1_000_000, metadata: { zone: "y" }, self: true },
    ]);
    // Its own clock does not age its own term.
    expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
    expect(views(play.end())).toMatchObject([{ kind: "held", node: "a", self: false }]);
    expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("expiry by the store's clock", () => {
  const judged = { expiry: "store-clock" } as const;

  it("when the store gives the record's age, the view ends with the ttl that is left, counted from its receipt", () => {
    const play = watching({ storeClock: true });
    play.ms = 1_000;
    play.read(shown(judged, { ageMs: 4_000 }));
    expect(views(later(play, 11_999))).toEqual([]);
    expect(views(later(play, 12_000))).toEqual([{ kind: "unknown", sinceMs: 0 }]);
  });

  it("when the record does not say so, the store has no clock, or gives no age, the ttl is observed", () => {
    for (const [play, stored] of [
      [watching({ storeClock: true }), shown({}, { ageMs: 4_000 })],
      [watching(), shown(judged, { ageMs: 4_000 })],
      [watching({ storeClock: true }), shown(judged)],
    ] as const) {
      play.read(stored);
      expect(views(later(play, 14_999))).toEqual([]);
      expect(views(later(play, 15_000))).toHaveLength(1);
    }
  });

  it("when it was read again, its age counts from that receipt, and from no earlier one", () => {
    const play = watching({ storeClock: true });
    play.read(shown(judged, { ageMs: 0 }));
    play.until(5_000);
    play.read(shown(judged, { ageMs: 1_000 }));
    expect(views(later(play, 14_999))).toEqual([]);
    expect(views(later(play, 15_000))).toHaveLength(1);
  });

  it("when holder and candidate differ in whose clock they trust, that is told, once for each holder", () => {
    const notices = (play: Play) =>
      play.effects.flatMap((effect) => (effect.type === "notice" ? [effect.code] : []));
    const observing = watching();
    observing.read(shown(judged));
    expect(notices(observing)).toEqual(["MODE_MISMATCH"]);
    observing.until(5_000);
    observing.read(shown({ ...judged, seq: 2 }));
    expect(notices(observing)).toEqual(["MODE_MISMATCH"]);
    const judging = watching({ expiry: "store-clock", storeClock: true });
    judging.read(shown());
    expect(notices(judging)).toEqual(["MODE_MISMATCH"]);
    const agreed = watching({ expiry: "store-clock", storeClock: true });
    agreed.read(shown(judged, { ageMs: 0 }));
    agreed.until(5_000);
    agreed.read(shown({ state: "released", seq: 2 }));
    expect(notices(agreed)).toEqual([]);
    const both = watching();
    both.read(shown());
    expect(notices(both)).toEqual([]);
  });

  it("when the modes differ, the words say whose choice it is", () => {
    const play = watching({ expiry: "store-clock", storeClock: true });
    const { body } = shown();
    if (typeof body === "string") throw new Error("a record is expected");
    expect(modeMismatch(play.core.state, body)).toContain("this candidate lets");
    expect(modeMismatch(play.core.state, { ...body, ...judged })).toContain("the holder lets");
  });
});
