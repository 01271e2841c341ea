/** A candidacy to the millisecond: when it begins, what it takes, and what it does when nobody answers. */

import { describe, expect, it } from "vitest";
import { largestToken } from "../../src/lease/record.js";
import { Play, released, shown, taking, told } from "../support/core-play.js";

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
    expect(play.lastWrite.expected).toBe("v1");
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
