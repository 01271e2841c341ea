/** From when on a candidate may take what it sees, to the millisecond, and what makes it wait anew. */

import { describe, expect, it } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Stored } from "../../src/lease/store.js";
import { Play, shown, told } from "../support/core-play.js";
import { expectWithin, seen, takenAt } from "./looking.js";

describe("what may be taken when", () => {
  it("when something is taken, it is said under which rule", () => {
    const offered = shown({ state: "offered", offeredTo: "third" });
    for (const [first, then, rule] of [
      [undefined, undefined, "5 create-prove"],
      [shown({ state: "released" }), undefined, "5 take-released"],
      [shown(), shown(), "2 take-held"],
      [shown(), undefined, "5 create-waited"],
      [offered, offered, "10 take-offered"],
    ] as const) {
      const play = seen(first);
      if (play.writes.length === 0) takenAt(play, () => then);
      expect(play.traces).toContain(rule);
    }
  });

  it("when a tombstone is seen it is taken at once, and the store is asked to prove that nothing later is forgotten", () => {
    const play = seen(shown({ state: "released" }));
    expect(play.lastWrite).toMatchObject({ expected: "v1", absence: "prove", takeover: "observed" });
  });

  it("when a name is absent and was never seen, it is created at once, with proof", () => {
    const play = seen(undefined);
    expect(play.lastWrite).toMatchObject({ expected: undefined, absence: "prove", takeover: "observed" });
  });

  it("when a name is absent that was seen, the longest of all known ttls is waited for", () => {
    for (const [ttlMs, seenMs, maxTtlMs, waitMs] of [
      [15_000, 15_000, 15_000, 15_000],
      [15_000, 15_000, 40_000, 40_000],
      [15_000, 30_000, 30_000, 30_000],
    ] as const) {
      const play = seen(shown({ ttlMs: seenMs }), { ttlMs, maxTtlMs });
      play.until(play.core.nextTick().lower);
      play.read(undefined);
      const since = play.ms;
      expectWithin(
        takenAt(play, () => undefined),
        since + waitMs,
      );
      expect(play.lastWrite).toMatchObject({ expected: undefined, absence: "waited", takeover: "observed" });
    }
  });

  it("when absence cannot be proven, the wait counts from the first receipt, not from when this began to look", () => {
    const play = new Play();
    play.ms = 5_000;
    play.stand();
    play.ms = 6_000;
    play.read(undefined);
    play.answer({ kind: "unproven", epoch: "e" });
    expectWithin(
      takenAt(play, () => undefined),
      6_000 + 15_000,
    );
  });

  it("when a lease is held or draining, its own ttl is waited for", () => {
    for (const state of ["held", "draining"] as const) {
      for (const ttlMs of [9_000, 15_000]) {
        const stored = shown({ state, ttlMs });
        const play = seen(stored);
        expectWithin(
          takenAt(play, () => stored),
          ttlMs,
        );
        // After the longest ttl nothing that was forgotten is believed in; after a shorter one the store is asked.
        const absence = ttlMs === 15_000 ? "waited" : "prove";
        expect(play.lastWrite).toMatchObject({ expected: "v1", absence, takeover: "observed" });
      }
    }
  });

  it("when an offer is to somebody else, a second is waited for", () => {
    const stored = shown({ state: "offered", offeredTo: "third" });
    const play = seen(stored);
    expectWithin(
      takenAt(play, () => stored),
      1_000,
    );
    expect(play.lastWrite).toMatchObject({ expected: "v1", absence: "prove", takeover: "observed" });
  });

  it("when an offer lapses, that is a second after it was seen, and as much later as this candidate takes over a dead lease", () => {
    const offered = shown({ state: "offered", offeredTo: "third" });
    const ofOffer = takenAt(seen(offered), () => offered);
    const ofLease = takenAt(seen(shown()), () => shown());
    expect(ofLease - ofOffer).toBeCloseTo(14_000, 6);
  });

  it("when a record cannot be read, is newer, or has a ttl that no store allows, it is never taken", () => {
    for (const stored of [
      shown({}, { body: "unreadable" }),
      shown({}, { body: "newer" }),
      shown({ state: "released", ttlMs: 15_001 }),
    ]) {
      const play = seen(stored);
      for (let count = 0; count < 50; count += 1) {
        play.until(play.core.nextTick().lower);
        play.read(stored);
      }
      expect(play.ms).toBeGreaterThan(30_000);
      expect(play.writes).toEqual([]);
    }
  });

  it("when the ttl is the longest that the store allows, it is one like any other", () => {
    expect(seen(shown({ state: "released", ttlMs: 15_000 })).writes).toHaveLength(1);
  });
});

describe("many candidates of one dead leader", () => {
  it("when their instances differ, they spread over a fiftieth of the ttl, and over 100 ms at most", () => {
    for (const [ttlMs, mostMs] of [
      [15_000, 100],
      [2_000, 40],
    ] as const) {
      const waits = Array.from({ length: 60 }, (_, index) => {
        const play = new Play({ ttlMs });
        // Ids differ by how many were drawn before.
        for (let count = 0; count < index; count += 1) {
          play.stand();
          play.step({ type: "withdraw" });
        }
        play.stand();
        play.read(shown({ ttlMs }));
        return takenAt(play, () => shown({ ttlMs })) - ttlMs;
      });
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...waits)).toBeLessThan(mostMs);
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(mostMs / 50);
      expect(new Set(waits).size).toBeGreaterThan(50);
    }
  });
});

describe("what begins the wait anew", () => {
  const held: Partial<LeaseRecord> = { state: "held", seq: 3 };
  const cases: [string, Stored, boolean][] = [
    ["a higher seq", shown({ ...held, seq: 4 }), true],
    ["a lower seq", shown({ ...held, seq: 2 }), true],
    ["another instance", shown({ ...held, instance: "third" }), true],
    ["another token", shown({ ...held, token: 6 }), true],
    ["another state", shown({ ...held, state: "draining" }), true],
    ["another epoch of the store", shown(held, { epoch: "f" }), true],
    [
      "a request of somebody else",
      shown({ ...held, writer: "op", nonce: "op-1" }, { version: "op-1" }),
      false,
    ],
    ["the very same", shown(held), false],
  ];

  it.each(cases)("when the store shows %s", (_, stored, anew) => {
    const play = seen(shown(held));
    play.until(6_000);
    play.read(stored);
    expectWithin(
      takenAt(play, () => stored),
      anew ? 6_000 + 15_000 : 15_000,
    );
  });

  it("when what cannot be read is written over, or comes back, that is a new sight; the same one is not", () => {
    const unreadable = (version: string) => shown({}, { body: "unreadable", version });
    const play = seen(shown(held));
    const sinceAt = (ms: number, stored: Stored | undefined) => {
      play.until(ms);
      play.read(stored);
      return play.core.state.sighting.sinceLower;
    };
    expect(sinceAt(5_000, unreadable("x"))).toBe(5_000);
    expect(sinceAt(10_000, unreadable("x"))).toBe(5_000);
    expect(sinceAt(12_000, unreadable("y"))).toBe(12_000);
    expect(sinceAt(15_000, shown(held))).toBe(15_000);
    expect(sinceAt(20_000, undefined)).toBe(20_000);
    expect(sinceAt(25_000, undefined)).toBe(20_000);
    expect(sinceAt(30_000, shown(held))).toBe(30_000);
  });
});

describe("a record that the store's clock may judge", () => {
  const judged = (ageMs: number) => shown({ expiry: "store-clock" }, { ageMs });

  it("when its age leaves less than the ttl, the store is asked then, and judges itself", () => {
    const play = seen(judged(4_000), { storeClock: true });
    expectWithin(play.untilWrite(), 11_000);
    expect(play.lastWrite).toMatchObject({ expected: "v1", absence: "waited", takeover: "store-clock" });
  });

  it("when its age is a millisecond, the store is asked a millisecond sooner than who observes takes it", () => {
    const asked = seen(judged(1), { storeClock: true }).untilWrite();
    expect(takenAt(seen(shown()), () => shown()) - asked).toBeCloseTo(1, 6);
  });

  it("when it was observed for its whole ttl, nobody has to judge", () => {
    const play = seen(judged(0), { storeClock: true });
    expectWithin(
      takenAt(play, () => judged(0)),
      15_000,
    );
    expect(play.lastWrite.takeover).toBe("observed");
    const late = seen(judged(4_000), { storeClock: true });
    late.ms = takenAt(seen(shown()), () => shown());
    late.step({ type: "tick" });
    expect(late.lastWrite.takeover).toBe("observed");
  });
});

describe("a candidate that may not be leader now", () => {
  it("when it is not eligible, it asks again after a quarter of the holder's pace", () => {
    let eligible = false;
    const asked: number[] = [];
    const play: Play = new Play({
      eligible: () => {
        asked.push(play.ms);
        return eligible;
      },
    });
    play.stand();
    play.read(shown({ state: "released" }));
    play.until(1_900);
    expect(asked).toEqual([0, 625, 1_250, 1_875]);
    eligible = true;
    expect(play.untilWrite()).toBe(2_500);
  });
});

describe("whoever asks once", () => {
  it("when the store has not answered since, nothing is due by itself, whatever was known before", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(shown({ state: "released" }));
    play.stand("evidence");
    play.step({ type: "watch", on: false });
    expect(play.writes).toEqual([]);
    expect(play.core.state.reading).toBeDefined();
    expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
  });

  it("when nobody needs to be waited for, it takes; else it is told at once that nothing is known", () => {
    const free = new Play();
    free.stand("immediate");
    expect(told(free.read(shown({ state: "released" })))).toEqual([]);
    expect(told(free.written("own-1"))).toEqual(["elected"]);
    const held = new Play();
    held.stand("immediate");
    expect(told(held.read(shown()))).toEqual(["unknown"]);
    expect(held.core.state.race).toBeUndefined();
  });

  it("when the record cannot be read, it is refused, whichever way it asks; a patient one waits", () => {
    for (const stand of ["immediate", "evidence"] as const) {
      const play = new Play();
      play.stand(stand);
      expect(told(play.read(shown({}, { body: "newer" })))).toEqual(["notice RECORD_NEWER", "refused"]);
    }
    const patient = new Play();
    patient.stand();
    expect(told(patient.read(shown({}, { body: "unreadable" })))).toEqual(["notice RECORD_UNREADABLE"]);
    patient.until(5_000);
    expect(told(patient.read(shown({}, { body: "unreadable" })))).toEqual([]);
    expect(patient.core.state.lastError).toMatchObject({
      code: "RECORD_UNREADABLE",
      message: expect.stringContaining("is no lease record") as unknown,
    });
    patient.until(10_000);
    patient.read(shown({ ttlMs: 15_001, seq: 2 }));
    expect(patient.core.state.lastError).toMatchObject({
      message: expect.stringContaining("ttl above the store's maxTtlMs") as unknown,
    });
  });

  it("when the holder raises its seq in the same state of being held, that is evidence; nothing else is", () => {
    const toldAfter = (second: Stored, first: Stored = shown()) => {
      const play = new Play();
      play.stand("evidence");
      play.read(first);
      play.until(2_500);
      return told(play.read(second));
    };
    expect(toldAfter(shown({ seq: 2 }))).toEqual(["held"]);
    expect(toldAfter(shown())).toEqual([]);
    expect(toldAfter(shown({ seq: 2, instance: "third" }))).toEqual([]);
    expect(toldAfter(shown({ seq: 2, state: "draining" }), shown({ state: "draining" }))).toEqual([]);
    expect(toldAfter(shown({ seq: 2, state: "draining" }))).toEqual([]);
  });

  it("when it sees what was known before, that is no evidence", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(shown());
    play.until(5_000);
    play.stand("evidence");
    expect(told(play.read(shown()))).toEqual([]);
    expect(told(play.read(shown()))).toEqual([]);
  });

  it("when the rise lies between a sight from before and the first of its own, that is no evidence", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(shown());
    play.until(5_000);
    play.stand("evidence");
    // This answers a look from before.
    expect(told(play.read(shown({ seq: 2 })))).toEqual([]);
    expect(told(play.read(shown({ seq: 3 })))).toEqual([]);
    play.until(play.core.nextTick().lower);
    expect(told(play.read(shown({ seq: 4 })))).toEqual(["held"]);
  });

  it("when it has evidence while its bid is on its way, that counts as soon as the bid is answered", () => {
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    const play = new Play();
    play.stand("evidence");
    play.read(shown({ request }));
    const { call } = play.lastWrite;
    for (const seq of [2, 2]) {
      play.until(play.core.nextTick().lower);
      expect(told(play.read(shown({ request, seq })))).toEqual([]);
    }
    expect(told(play.fail("unknown", call))).toEqual(["held"]);
  });

  it("when it has evidence, it is told who holds the lease", () => {
    const play = new Play();
    play.stand("evidence");
    play.read(shown({ metadata: { zone: "x" } }));
    play.until(2_500);
    expect(play.read(shown({ seq: 2, metadata: { zone: "x" } }))).toContainEqual({
      type: "held",
      by: { node: "b", token: 5, metadata: { zone: "x" } },
    });
    expect(play.core.state.race).toBeUndefined();
  });

  it("when a successor is asked for as the evidence comes, whoever asked once is gone, and bids for nothing", () => {
    const play = new Play();
    play.stand("evidence");
    play.read(shown());
    play.until(2_500);
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    expect(told(play.read(shown({ seq: 2, request })))).toEqual(["held"]);
    expect(play.writes).toEqual([]);
  });

  it("when a candidate is patient, evidence ends nothing", () => {
    const play = seen(shown());
    play.until(2_500);
    expect(told(play.read(shown({ seq: 2 })))).toEqual([]);
    expect(play.core.state.race).toBeDefined();
  });
});
