/** A candidacy to the millisecond: what it writes when, what each answer means to it, and how it is given up. */

import { describe, expect, it } from "vitest";
import { largestToken } from "../../src/lease/record.js";
import { Play, shown, told } from "../support/core-play.js";

const released = (seq: number, token = 5) => shown({ state: "released", seq, token });

/** Has sent its first take, on a tombstone of version v1. */
function taking(config: ConstructorParameters<typeof Play>[0] = {}): Play {
  const play = new Play(config);
  play.stand();
  play.read(released(1));
  expect(play.lastWrite).toMatchObject({ expected: "v1", record: { seq: 1, state: "held" } });
  return play;
}

describe("the beginning of a candidacy", () => {
  it("when a look is not due yet, it looks at once all the same", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(shown());
    play.until(10);
    expect(play.stand().map(({ type }) => type)).toContain("read");
  });

  it("when a look is under way, it looks once more as soon as that is answered", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.stand();
    expect(play.read(shown()).map(({ type }) => type)).toContain("read");
    expect(play.read(shown()).map(({ type }) => type)).not.toContain("read");
  });

  /** Leads for so long, and is at the end of it. */
  function term(play: Play, lastsMs: number, reason: "resigned" | "transferred"): void {
    play.stand();
    play.read(released(1));
    play.written("own");
    const end = play.ms + lastsMs;
    while (play.core.nextTick().upper < end) {
      play.untilWrite();
      play.written("own");
    }
    play.until(end);
    play.end(reason);
    play.step({ type: "settle" });
    play.written("own");
  }

  function pauseAfter(play: Play, backOff: boolean): number {
    const since = play.ms;
    play.stand("patient", { backOff });
    play.read(released(1));
    return play.core.state.race?.writing === undefined ? play.untilWrite() - since : 0;
  }

  it.each([
    [1, 375],
    [2, 750],
    [3, 1_500],
    [6, 7_500],
  ])(
    "when it comes after %d short terms and backs off, it waits for %d ms; else it does not",
    (count, pauseMs) => {
      const [patient, impatient] = [new Play(), new Play()];
      for (let done = 0; done < count; done += 1) {
        term(patient, 14_999, "resigned");
        term(impatient, 14_999, "resigned");
      }
      expect(pauseAfter(patient, true)).toBe(pauseMs);
      expect(pauseAfter(impatient, false)).toBe(0);
    },
  );

  it("when a term lasted for a ttl, or was handed over, the count begins anew", () => {
    for (const [lastsMs, reason] of [
      [15_000, "resigned"],
      [100, "transferred"],
    ] as const) {
      const play = new Play();
      term(play, 100, "resigned");
      term(play, 100, "resigned");
      term(play, lastsMs, reason);
      expect(pauseAfter(play, true)).toBe(375);
    }
  });

  it("when chance says so, it waits for twice as long", () => {
    const play = new Play();
    term(play, 100, "resigned");
    play.fraction = 1;
    term(play, 100, "resigned");
    expect(pauseAfter(play, true)).toBe(1_500);
  });
});

describe("the token of a take", () => {
  it("when the wall clock says nothing sensible, it is the next one, and 1 for the first", () => {
    for (const wallMs of [-1_000_000, 0, largestToken / 2, Number.MAX_VALUE]) {
      const play = new Play();
      play.wallMs = wallMs;
      play.stand();
      play.read(undefined);
      expect(play.lastWrite.record.token).toBe(1);
      const next = new Play();
      next.wallMs = wallMs;
      next.stand();
      next.read(released(1, 7));
      expect(next.lastWrite.record.token).toBe(8);
    }
  });

  it("when the wall clock is far ahead, but leaves room, it is the seed all the same", () => {
    const play = new Play();
    play.wallMs = Math.floor(largestToken * 0.49);
    play.stand();
    play.read(undefined);
    expect(play.lastWrite.record.token).toBe(play.wallMs);
  });

  it("when the store forgot a higher token than it shows, that is not forgotten here", () => {
    const play = new Play();
    play.wallMs = -1_000_000;
    play.stand();
    play.read(shown({ token: 9 }));
    play.until(play.core.nextTick().lower);
    play.read(released(1, 3));
    expect(play.lastWrite.record.token).toBe(10);
  });

  it("when the wall clock has a fraction, the token has none", () => {
    const play = new Play();
    play.wallMs = 1_234.75;
    play.stand();
    play.read(undefined);
    expect(play.lastWrite.record.token).toBe(1_234);
  });

  it("when the record leaves room for one more, it is taken; when it leaves none, every campaign is refused", () => {
    const last = new Play();
    last.stand();
    last.read(released(1, largestToken - 1));
    expect(last.lastWrite.record.token).toBe(largestToken);
    const none = new Play();
    none.stand();
    expect(told(none.read(released(1, largestToken)))).toEqual(["refused"]);
    expect(none.writes).toEqual([]);
    expect(none.core.state.race).toBeUndefined();
  });
});

describe("the take of an offer", () => {
  function bidder() {
    const play = new Play();
    play.stand();
    play.read(shown({ request: { id: "r", verb: "transfer", by: "op" } }));
    expect(play.lastWrite.record.bid).toMatchObject({ requestId: "r" });
    play.written("bid");
    const { bid, request } = play.lastWrite.record;
    if (bid === undefined || request === undefined) throw new Error("nothing was bid");
    return { play, bid, request };
  }

  it("when it was offered to this candidate, its record says whose request it follows", () => {
    const { play, bid, request } = bidder();
    play.until(1);
    play.read(shown({ state: "offered", seq: 3, request, bid, offeredTo: bid.instance }));
    expect(play.lastWrite).toMatchObject({ expected: "v3", record: { follows: "r", state: "held" } });
    expect(play.lastWrite.record.request).toBeUndefined();
  });

  it("when it was offered to another, it is taken after a second, and follows no request", () => {
    const { play, bid, request } = bidder();
    play.read(shown({ state: "offered", seq: 3, request, bid, offeredTo: "third" }));
    const before = play.writes.length;
    play.until(999);
    expect(play.writes).toHaveLength(before);
    play.untilWrite(1_101);
    expect(play.lastWrite).toMatchObject({ expected: "v3", record: { state: "held" } });
    expect(play.lastWrite.record.follows).toBeUndefined();
  });
});

describe("a take that fails", () => {
  it("when the store does not answer, pauses double up to renewMs, halved by chance at most", () => {
    const play = taking();
    const pauses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const since = play.ms;
      play.fail("unknown", play.lastWrite.call);
      pauses.push(play.untilWrite() - since);
    }
    expect(pauses).toEqual([125, 250, 500, 1_000, 1_250, 1_250]);
    play.fraction = 1;
    const since = play.ms;
    play.fail("unknown", play.lastWrite.call);
    expect(play.untilWrite() - since).toBe(2_500);
    expect(play.core.state.lastError).toMatchObject({ message: "no answer" });
  });

  it("when an older try fails or conflicts late, it stands for nothing", () => {
    const play = taking();
    const { call } = play.lastWrite;
    play.fail("unknown", call);
    play.until(125);
    expect(play.writes).toHaveLength(2);
    play.conflict(released(7), call);
    expect(play.core.state.race?.tries).toHaveLength(2);
    play.fail("unknown", play.lastWrite.call);
    play.fail("unknown", call);
    // The pause after the second failure, and not after a third.
    expect(play.untilWrite()).toBe(375);
    expect(told(play.written("own-3"))).toEqual(["elected"]);
  });

  it("when it is refused for good, every campaign ends; when it is refused for now, a patient one goes on", () => {
    const refused = taking();
    expect(told(refused.fail("permanent"))).toEqual([]);
    expect(refused.lastWrite.record.state).toBe("released");
    expect(told(refused.conflict(shown({ seq: 2 })))).toEqual(["refused"]);
    expect(refused.core.state.race).toBeUndefined();
    const patient = taking();
    expect(told(patient.fail("definite"))).toEqual([]);
    expect(patient.untilWrite()).toBe(125);
    const once = new Play();
    once.stand("evidence");
    once.read(released(1));
    once.fail("definite");
    expect(told(once.conflict(shown({ seq: 2 })))).toEqual(["refused"]);
  });

  it("when whoever asked once has had no answer for one more timeout, it is told so; others wait on", () => {
    for (const [laterMs, outcome] of [
      [1_999, []],
      [2_000, ["refused"]],
    ] as const) {
      const play = new Play();
      play.stand("evidence");
      play.ms = 100;
      expect(told(play.fail())).toEqual([]);
      play.until(101 + laterMs - 1);
      play.ms = 100 + laterMs;
      expect(told(play.fail("unknown", play.core.state.reading))).toEqual(outcome);
    }
    const patient = new Play();
    patient.stand();
    patient.fail();
    patient.until(5_000);
    expect(told(patient.fail("unknown", patient.core.state.reading))).toEqual([]);
    expect(patient.core.state.race).toBeDefined();
  });

  it("when a look was answered in between, silence counts anew", () => {
    const play = new Play();
    play.stand("evidence");
    play.fail();
    play.until(1_000);
    play.read(shown());
    play.until(4_000);
    expect(told(play.fail("unknown", play.core.state.reading))).toEqual([]);
  });
});

describe("a take that conflicts", () => {
  it("when another was quicker, what is there now is taken at once; from the second time on after pauses", () => {
    const play = taking();
    const pauses: number[] = [];
    for (let count = 2; count <= 5; count += 1) {
      const since = play.ms;
      play.conflict(released(count));
      if (play.lastWrite.expected !== `v${count}`) play.untilWrite();
      expect(play.lastWrite.expected).toBe(`v${count}`);
      pauses.push(play.ms - since);
    }
    expect(pauses).toEqual([0, 125, 250, 500]);
  });

  it("when it is given up after a conflict, there is nothing to undo", () => {
    const play = taking();
    play.conflict(shown({ seq: 2 }));
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
    expect(play.writes).toHaveLength(1);
  });

  it("when an older try on the same version is unanswered, that can come into force no more either", () => {
    const play = taking();
    play.fail();
    play.until(125);
    play.conflict(shown({ seq: 2 }));
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
    expect(play.writes).toHaveLength(2);
  });

  it("when it shows this very take after it was given up, that is undone at once", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.step({ type: "withdraw" });
    play.conflict(shown({ ...record }, { version: "own-1" }));
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    expect(told(play.written("own-2"))).toEqual(["withdrawn"]);
  });

  it("when it shows this very take, which was delivered twice, the term begins at its send", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.ms = 50;
    const effects = play.conflict(shown({ ...record }, { version: "own-1" }));
    expect(effects).toContainEqual(expect.objectContaining({ type: "elected", untilUpper: 10_000 }));
  });

  it("when the store's clock finds the record too young, it is asked again after a pause, and older tries still count", () => {
    const play = new Play({ storeClock: true });
    play.stand();
    play.read(shown({ expiry: "store-clock" }, { ageMs: 14_000 }));
    play.untilWrite(1_101);
    expect(play.lastWrite).toMatchObject({ expected: "v1", takeover: "store-clock" });
    const first = play.lastWrite.call;
    play.fail("unknown", first);
    play.untilWrite();
    const since = play.ms;
    const young = shown({ expiry: "store-clock" }, { ageMs: 15_000 });
    play.conflict(young);
    expect(play.untilWrite() - since).toBe(125);
    const again = play.ms;
    play.conflict(young);
    expect(play.untilWrite() - again).toBe(250);
    expect(play.core.state.race?.tries.map(({ call }) => call)).toEqual([first, play.lastWrite.call]);
    // The first one was judged after all.
    expect(told(play.written("own-1", "e", first))).toEqual(["elected"]);
  });
});

describe("a take that cannot be proven", () => {
  it("when nothing else was tried, it is over: given up, there is nothing to undo", () => {
    const play = taking();
    play.answer({ kind: "unproven", epoch: "e" });
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
    expect(play.writes).toHaveLength(1);
  });

  it("when an older try is still unanswered, that one is undone", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.until(125);
    play.answer({ kind: "unproven", epoch: "e" });
    expect(told(play.step({ type: "withdraw" }))).toEqual([]);
    expect(play.lastWrite).toMatchObject({
      expected: "v1",
      absence: "waited",
      record: { state: "released", token: record.token, instance: record.instance },
    });
  });

  it("when the store is in the epoch of the sight, the wait counts from there; in another one it begins now", () => {
    for (const [epoch, fromMs] of [
      ["e", 0],
      ["f", 1_000],
    ] as const) {
      const play = taking();
      play.ms = 1_000;
      play.answer({ kind: "unproven", epoch });
      const due = play.core.nextTick().lower;
      while (play.writes.length === 1) {
        play.until(Math.max(play.ms, play.core.nextTick().lower));
        if (play.core.state.reading !== undefined) play.read(shown({ state: "released" }, { epoch }));
      }
      expect(due).toBeLessThan(play.ms);
      expect(play.ms).toBeGreaterThanOrEqual(fromMs + 15_000);
      expect(play.ms).toBeLessThanOrEqual(fromMs + 15_100);
      expect(play.lastWrite).toMatchObject({ absence: "waited", expected: "v1" });
    }
  });

  it("when the answer is about an earlier sight, what is there now is asked about first", () => {
    const play = taking();
    const { call } = play.lastWrite;
    play.fail("unknown", call);
    play.step({ type: "wake" });
    play.until(0);
    play.read(released(2));
    play.answer({ kind: "unproven", epoch: "e" }, call);
    expect(play.untilWrite()).toBe(125);
    expect(play.lastWrite).toMatchObject({ expected: "v2", absence: "prove" });
  });

  it("when a store asks for more than was waited for, it is asked again after growing pauses", () => {
    const play = taking();
    play.answer({ kind: "unproven", epoch: "e" });
    play.untilWrite();
    const pauses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const since = play.ms;
      play.answer({ kind: "unproven", epoch: "e" }, play.lastWrite.call);
      pauses.push(play.untilWrite() - since);
      expect(play.lastWrite.absence).toBe("waited");
    }
    expect(pauses).toEqual([125, 250, 500]);
  });

  it("when the name is absent in another epoch, that is waited for once, also if the store asks again", () => {
    const play = new Play();
    play.stand();
    play.read(undefined);
    play.answer({ kind: "unproven", epoch: "f" });
    expect(play.untilWrite()).toBeGreaterThanOrEqual(15_000);
    const since = play.ms;
    play.answer({ kind: "unproven", epoch: "f" }, play.lastWrite.call);
    expect(play.untilWrite() - since).toBe(125);
  });
});

describe("a take that arrives", () => {
  it("when its answer comes within belief, a term begins; at its end the take is given back", () => {
    const early = taking();
    early.ms = 9_999;
    expect(told(early.written("own-1"))).toEqual(["elected"]);
    const late = taking();
    late.ms = 10_000;
    const { record } = late.lastWrite;
    expect(told(late.written("own-1"))).toEqual([]);
    expect(late.lastWrite).toMatchObject({
      expected: "own-1",
      absence: "waited",
      record: { state: "released", token: record.token, seq: 2 },
    });
  });

  it("when it was too late and is gone afterwards, absence proves nothing: this candidate was there itself", () => {
    const play = new Play();
    play.stand();
    play.read(undefined);
    play.ms = 10_000;
    play.written("own-1");
    play.written("own-2");
    const since = play.ms;
    play.until(10_300);
    play.read(undefined);
    expect(play.writes).toHaveLength(2);
    expect(play.untilWrite()).toBeGreaterThanOrEqual(since + 15_000);
    expect(play.lastWrite.absence).toBe("waited");
  });

  it("when a higher token was seen meanwhile, it is given back, and a higher one taken under a fresh instance", () => {
    const play = taking();
    const { call, record } = play.lastWrite;
    play.fail("unknown", call);
    play.step({ type: "wake" });
    play.read(shown({ token: record.token + 1, seq: 2 }));
    expect(told(play.written("own-1", "f", call))).toEqual([]);
    expect(play.lastWrite.record).toMatchObject({ state: "released", token: record.token });
    play.written("own-2", "f");
    play.until(play.ms + 250);
    play.read(shown({ ...play.lastWrite.record }, { version: "own-2", epoch: "f" }));
    expect(play.lastWrite.record.token).toBeGreaterThan(record.token + 1);
    expect(play.lastWrite.record.instance).not.toBe(record.instance);
  });
});

describe("a take that is given up", () => {
  it("when its answer is still due, its arrival is undone before the end is told", () => {
    const play = taking();
    expect(told(play.step({ type: "withdraw" }))).toEqual([]);
    expect(told(play.written("own-1"))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    expect(told(play.written("own-2"))).toEqual(["withdrawn"]);
  });

  it("when it was never answered, the record it expects is replaced, so that it conflicts", () => {
    const play = taking();
    play.fail();
    expect(told(play.step({ type: "withdraw" }))).toEqual([]);
    expect(play.lastWrite).toMatchObject({
      expected: "v1",
      absence: "waited",
      record: { state: "released" },
    });
    expect(told(play.conflict(shown({ seq: 2 })))).toEqual(["withdrawn"]);
    expect(play.writes).toHaveLength(2);
  });

  it("when it was to create the record, its undo asks for the same proof", () => {
    const play = new Play();
    play.stand();
    play.read(undefined);
    expect(play.lastWrite.absence).toBe("prove");
    play.fail();
    play.step({ type: "withdraw" });
    expect(play.lastWrite).toMatchObject({ expected: undefined, absence: "prove" });
  });

  it("when it arrives just before its undo, that is undone, three times at most", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "withdraw" });
    const arrived = shown({ ...record }, { version: "own-1" });
    for (let count = 2; count <= 3; count += 1) {
      expect(told(play.conflict(arrived))).toEqual([]);
      expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    }
    expect(told(play.conflict(arrived))).toEqual(["notice UNDO_UNCONFIRMED", "withdrawn"]);
    expect(play.writes.map((write) => write.record.seq)).toEqual([1, 2, 3, 4]);
  });

  it("when the undo fails, or the store's clock finds it too early, it is told that the take may arrive yet", () => {
    const silent = taking();
    silent.fail();
    silent.step({ type: "withdraw" });
    expect(told(silent.fail())).toEqual(["notice UNDO_UNCONFIRMED", "withdrawn"]);
    const early = taking();
    early.fail();
    early.step({ type: "withdraw" });
    expect(told(early.conflict(released(1)))).toEqual(["notice UNDO_UNCONFIRMED", "withdrawn"]);
  });

  it("when the undo was delivered twice, it is done", () => {
    const play = taking();
    play.fail();
    play.step({ type: "withdraw" });
    const { record } = play.lastWrite;
    expect(told(play.conflict(shown({ ...record }, { version: "own-2" })))).toEqual(["withdrawn"]);
    expect(play.writes).toHaveLength(2);
  });

  it("when the store is in another epoch since, what it expects is left alone, and that is told; another version is not", () => {
    const seenAgain = (version: string) => {
      const play = taking();
      play.fail();
      play.step({ type: "wake" });
      play.read(shown({ seq: 1 }, { version, epoch: "f" }));
      return { play, told: told(play.step({ type: "withdraw" })) };
    };
    const same = seenAgain("v1");
    expect(same.told).toEqual(["notice UNDO_UNCONFIRMED", "withdrawn"]);
    expect(same.play.writes).toHaveLength(1);
    const other = seenAgain("x");
    expect(other.told).toEqual([]);
    expect(other.play.lastWrite).toMatchObject({ expected: "v1", record: { state: "released" } });
  });

  it("when it cannot be proven and the store is in another epoch, there is nothing to undo and nothing to tell", () => {
    const play = taking();
    play.answer({ kind: "unproven", epoch: "f" });
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
  });

  it("when the undo finds what it expects in another epoch, that is told once", () => {
    const play = taking();
    play.fail();
    play.step({ type: "withdraw" });
    const back = shown({ state: "released" }, { epoch: "f" });
    expect(told(play.conflict(back))).toEqual(["notice UNDO_UNCONFIRMED", "withdrawn"]);
  });

  it("when nothing was written, its end is told at once", () => {
    const play = new Play();
    play.stand();
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
    expect(play.writes).toEqual([]);
    expect(play.core.nextTick()).toEqual({
      upper: Number.POSITIVE_INFINITY,
      lower: Number.POSITIVE_INFINITY,
    });
  });
});

describe("a candidate that finds its own record", () => {
  it("when another process writes as this candidacy, it says so, and stands again under a fresh instance after a pause", () => {
    const play = taking();
    const { instance } = play.lastWrite.record;
    play.fail();
    play.step({ type: "wake" });
    const effects = play.read(shown({ instance, nonce: "twin", token: 2_000_000 }, { version: "twin" }));
    expect(told(effects)).toEqual(["notice DUPLICATE_IDENTITY"]);
    expect(effects.map(({ type }) => type)).not.toContain("read");
    expect(play.core.state.race?.instance).not.toBe(instance);
    expect(play.core.nextTick().lower).toBe(250);
  });

  it("when a look shows the take before its answer comes, the term begins", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    expect(told(play.read(shown({ ...record }, { version: "own-1" })))).toEqual(["elected"]);
  });

  it("when reading back proves nothing, a write of its own decides, and the first may be answered yet", () => {
    const play = taking({ readBackProves: false });
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    expect(told(play.read(shown({ ...record }, { version: "own-1" })))).toEqual([]);
    expect(play.untilWrite()).toBe(125);
    expect(play.lastWrite).toMatchObject({
      expected: "own-1",
      absence: "waited",
      takeover: "observed",
      record: { seq: 2, token: record.token, instance: record.instance, state: "held" },
    });
    expect(told(play.written("own-2"))).toEqual(["elected"]);
    // The next seq is one that was never used.
    play.untilWrite();
    expect(play.lastWrite.record.seq).toBe(3);
  });

  it("when the take is answered before that write is due, the term begins", () => {
    const play = taking({ readBackProves: false });
    const { record, call } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ ...record }, { version: "own-1" }));
    play.until(124);
    expect(told(play.written("own-1", "e", call))).toEqual(["elected"]);
    expect(play.writes).toHaveLength(1);
  });

  it("when somebody wrote a request into it, that is carried on", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    play.read(shown({ ...record, writer: "op", nonce: "op-1", request }, { version: "op-1" }));
    play.untilWrite();
    expect(play.lastWrite).toMatchObject({ expected: "op-1", record: { request, seq: 2 } });
    expect(told(play.written("own-2"))).toEqual(["elected"]);
  });

  it("when a bid lies over the write of a clone, its seq still shows the clone", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    const effects = play.read(
      shown({ ...record, seq: 2, writer: "bidder", nonce: "bid" }, { version: "bid" }),
    );
    expect(told(effects)).toEqual(["notice DUPLICATE_IDENTITY"]);
  });

  it("when it backed off no more, it does not back off under a fresh instance either", () => {
    const play = new Play();
    play.lead();
    play.until(100);
    play.leave();
    play.stand();
    const { instance } = play.lastWrite.record;
    play.fail("unknown", play.lastWrite.call);
    play.read(shown({ instance, nonce: "twin", token: 2_000_000 }, { version: "twin" }));
    play.until(350);
    play.read(released(9, 2_000_000));
    expect(play.lastWrite).toMatchObject({ expected: "v9", record: { state: "held" } });
    expect(play.ms).toBe(350);
  });

  it("when the store goes back to a take on an older version, that is its own all the same, and a write decides", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(released(2));
    play.until(125);
    expect(play.lastWrite.expected).toBe("v2");
    play.fail("unknown", play.lastWrite.call);
    play.step({ type: "wake" });
    // The second take has a higher token, but nobody has seen that one.
    const effects = play.read(shown({ ...record }, { version: "own-1", epoch: "f" }));
    expect(told(effects)).toEqual([]);
    play.untilWrite();
    expect(play.lastWrite).toMatchObject({
      expected: "own-1",
      record: { seq: 3, token: record.token, instance: record.instance, state: "held" },
    });
  });

  it("when the store goes back to a take that was written over, that is no answer to it", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ ...record, writer: "op", nonce: "op-1" }, { version: "op-1" }));
    play.untilWrite();
    expect(play.lastWrite.expected).toBe("op-1");
    play.fail("unknown", play.lastWrite.call);
    play.step({ type: "wake" });
    expect(told(play.read(shown({ ...record }, { version: "own-1", epoch: "f" })))).toEqual([]);
    play.untilWrite();
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { seq: 3 } });
  });

  it("when what it found is given up before its own write is answered, that version is replaced", () => {
    const play = taking({ readBackProves: false });
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ ...record }, { version: "own-1" }));
    play.untilWrite();
    play.fail("unknown", play.lastWrite.call);
    play.step({ type: "withdraw" });
    expect(play.lastWrite).toMatchObject({
      expected: "own-1",
      absence: "waited",
      takeover: "observed",
      record: { state: "released", seq: 3, token: record.token },
    });
  });

  it("when a higher token was seen since, and a request lies over it, it is given back", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ seq: 2, token: record.token + 5 }));
    play.until(play.core.nextTick().lower);
    const old = shown({ ...record, writer: "op", nonce: "op-1" }, { version: "op-1", epoch: "f" });
    expect(told(play.read(old))).toEqual([]);
    expect(play.lastWrite).toMatchObject({
      expected: "op-1",
      record: { state: "released", token: record.token, seq: 2 },
    });
    expect(told(play.written("own-2", "f"))).toEqual([]);
    expect(play.core.state.race?.instance).not.toBe(record.instance);
  });

  it("when the write that is to decide fails at once, again and again, it is repeated after growing pauses", () => {
    const play = taking({ readBackProves: false });
    const own = shown({ ...play.lastWrite.record }, { version: "own-1" });
    play.fail();
    play.step({ type: "wake" });
    play.read(own);
    play.untilWrite();
    const pauses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const since = play.ms;
      play.fail("unknown", play.lastWrite.call);
      pauses.push(play.untilWrite() - since);
      expect(play.lastWrite.expected).toBe("own-1");
    }
    expect(pauses).toEqual([250, 500, 1_000]);
  });

  it("when others write over it again and again, the write that is to decide is repeated after growing pauses", () => {
    const play = taking();
    const { record } = play.lastWrite;
    const pauses: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const since = play.ms;
      const { seq } = play.lastWrite.record;
      play.conflict(
        shown({ ...record, seq, writer: "op", nonce: `op-${count}` }, { version: `op-${count}` }),
      );
      if (play.lastWrite.expected !== `op-${count}`) play.untilWrite();
      expect(play.lastWrite.expected).toBe(`op-${count}`);
      pauses.push(play.ms - since);
    }
    expect(pauses).toEqual([0, 125, 250, 500]);
  });
});
