/** A term to the millisecond: its renewals, their retries, and the deadline. */

import { describe, expect, it } from "vitest";
import type { Effect } from "../../src/lease/core-types.js";
import { leading, Play, shown, told } from "../support/core-play.js";

const retried = (effects: readonly Effect[]) => effects.filter(({ type }) => type === "renewFailed");

describe("renewals", () => {
  it("when a term begins, the first one is due after half to all of renewMs, as chance has it", () => {
    for (const [fraction, dueMs] of [
      [0, 1_250],
      [1, 2_500],
    ] as const) {
      const play = new Play();
      play.fraction = fraction;
      play.lead();
      expect(play.core.nextTick().upper).toBe(dueMs);
      play.until(dueMs - 1);
      expect(play.writes).toHaveLength(1);
      play.until(dueMs);
      expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { seq: 2, state: "held" } });
    }
  });

  it("when one is confirmed, belief is counted from its send, and the next is due renewMs after that", () => {
    const play = leading();
    play.until(1_250);
    play.ms = 1_900;
    const effects = play.written("own-2");
    expect(effects.find(({ type }) => type === "extended")).toMatchObject({ untilUpper: 11_250 });
    expect(play.core.nextTick().upper).toBe(3_750);
    play.until(3_750);
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { seq: 3 } });
  });

  it("when several fail, pauses double up to a thirtieth of the ttl, halved by chance at most", () => {
    const play = leading();
    play.until(1_250);
    const pauses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      play.fail();
      const due = play.core.nextTick().upper;
      pauses.push(due - play.ms);
      play.until(due);
    }
    expect(pauses).toEqual([100, 200, 250, 250, 250]);
    play.fraction = 1;
    play.fail();
    expect(play.core.nextTick().upper - play.ms).toBe(500);
  });

  it("when failures are over, the count starts anew", () => {
    const play = leading();
    play.until(1_250);
    play.fail();
    play.until(1_350);
    play.fail();
    play.until(1_550);
    play.written("own-2");
    play.until(4_050);
    play.fail();
    expect(play.core.nextTick().upper - play.ms).toBe(100);
  });

  it("when they fail, each says what is left, and one pair of events how long it was unknown", () => {
    const play = leading();
    play.until(1_250);
    play.ms = 2_000;
    const first = play.fail();
    expect(retried(first)).toMatchObject([{ remainingMs: 8_000 }]);
    expect(first.find(({ type }) => type === "uncertain")).toMatchObject({ sinceMs: 2_000 });
    play.until(2_100);
    play.ms = 3_000;
    const second = play.fail();
    expect(told(second)).toEqual(["renewFailed"]);
    expect(retried(second)).toMatchObject([{ remainingMs: 7_000 }]);
    play.until(3_200);
    play.ms = 3_500;
    const third = play.written("own-2");
    expect(third).toContainEqual({ type: "confirmed", afterMs: 1_500 });
    // Uncertain once more is said once more.
    play.until(5_700);
    expect(told(play.fail())).toEqual(["renewFailed", "uncertain"]);
  });

  it("when one fails after an earlier one was confirmed, it is unknown since then", () => {
    const play = leading();
    play.until(1_250);
    play.written("own-2");
    play.until(3_750);
    play.ms = 5_000;
    const effects = play.fail();
    expect(effects.find(({ type }) => type === "uncertain")).toMatchObject({ sinceMs: 3_750 });
    expect(play.core.state.lastError).toBeDefined();
    play.until(5_100);
    play.written("own-3");
    expect(play.core.state.lastError).toBeUndefined();
  });

  it("when one that was thought lost is answered after a bid was written over it, belief follows its send", () => {
    const play = leading();
    play.until(1_250);
    const { call, record } = play.lastWrite;
    play.fail();
    play.until(1_350);
    const bid = { instance: "other", node: "b", requestId: "r" };
    play.conflict(shown({ ...record, writer: "other", nonce: "bid", bid }, { version: "bid" }));
    expect(play.lastWrite.expected).toBe("bid");
    expect(play.written("own-2", "e", call)).toContainEqual(
      expect.objectContaining({ type: "extended", untilUpper: 11_250 }),
    );
  });

  it("when writes of others conflict with them again and again, the first is repeated at once, then pauses grow", () => {
    const play = leading();
    play.until(1_250);
    const pauses: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const own = { instance: play.lastWrite.record.instance, token: play.lastWrite.record.token };
      play.conflict(
        shown({ ...own, writer: "op", nonce: `op-${count}`, seq: 1 }, { version: `op-${count}` }),
      );
      const due = Math.max(play.ms, play.core.nextTick().upper);
      if (play.lastWrite.expected !== `op-${count}`) {
        pauses.push(due - play.ms);
        play.until(due);
      } else pauses.push(0);
      expect(play.lastWrite.expected).toBe(`op-${count}`);
    }
    expect(pauses).toEqual([0, 100, 200, 250]);
    play.written("own-2");
    play.until(play.core.nextTick().upper);
    const { instance, token, seq } = play.lastWrite.record;
    play.conflict(shown({ instance, token, seq: seq - 1, writer: "op", nonce: "op-9" }, { version: "op-9" }));
    expect(play.lastWrite.expected).toBe("op-9");
  });

  it("when one that was given up is answered late, belief follows its send, and a later one is still awaited", () => {
    const play = leading();
    play.until(1_250);
    const { call } = play.lastWrite;
    play.ms = 3_250;
    play.fail("unknown", call);
    play.until(3_350);
    expect(play.writes).toHaveLength(3);
    play.ms = 3_400;
    const effects = play.written("own-2", "e", call);
    expect(effects).toContainEqual(expect.objectContaining({ type: "extended", untilUpper: 11_250 }));
    // The write under way is not sent a second time.
    expect(play.until(5_000)).toEqual([]);
    expect(told(play.written("own-3"))).toEqual(["extended"]);
  });

  it("when one that was given up fails once more, late, that is no news", () => {
    const play = leading();
    play.until(1_250);
    const { call } = play.lastWrite;
    play.fail("unknown", call);
    play.until(1_350);
    expect(play.fail("unknown", call)).toEqual([]);
    expect(play.core.nextTick().upper).toBe(10_000);
  });

  const givenUp = () => {
    const play = leading();
    play.until(1_250);
    const { call, record } = play.lastWrite;
    play.fail("unknown", call);
    play.until(1_350);
    return { play, call, record };
  };

  it("when one that was given up conflicts late with the term's own record, that may be older and decides nothing", () => {
    for (const seq of [0, 1, 9]) {
      const { play, call, record } = givenUp();
      expect(play.conflict(shown({ ...record, seq, nonce: "n" }, { version: "v" }), call)).toEqual([]);
      expect(told(play.written("own-3"))).toEqual(["extended", "confirmed"]);
    }
  });

  it("when one that was given up conflicts late with what cannot be read, it decides nothing", () => {
    const { play, call } = givenUp();
    expect(play.conflict({ version: "v", epoch: "e", body: "unreadable" }, call)).toEqual([]);
    expect(told(play.written("own-3"))).toEqual(["extended", "confirmed"]);
  });

  it("when a release that was given up conflicts late, the next one still says whether it was released", () => {
    const play = leading();
    play.step({ type: "settle" });
    play.step({ type: "end", reason: "resigned", drainMs: 1_000 });
    const { call, record } = play.lastWrite;
    expect(record.state).toBe("released");
    play.fail("unknown", call);
    play.until(play.core.nextTick().upper);
    expect(told(play.conflict(shown({ ...record, instance: "other" }, { version: "v" }), call))).toEqual([]);
    expect(play.written("own-3")).toContainEqual({ type: "released", outcome: "released" });
  });

  it("when one that was given up conflicts late with nothing or with another term, the lease is lost at once", () => {
    const { record } = givenUp();
    const others = [
      [undefined, "store-lost"],
      [shown({ ...record, instance: "other" }, { version: "v" }), "superseded"],
      [shown({ ...record, token: record.token + 1 }, { version: "v" }), "superseded"],
    ] as const;
    for (const [current, reason] of others) {
      const { play, call } = givenUp();
      expect(play.conflict(current, call)).toContainEqual({ type: "lost", reason, lateByMs: 0 });
      expect(play.until(20_000).filter(({ type }) => type === "write")).toEqual([]);
    }
  });

  it("when the store shows one that was thought lost, the next is due renewMs after its send", () => {
    const play = leading();
    play.until(1_250);
    const lost = play.lastWrite.record;
    play.fail();
    play.until(1_350);
    play.ms = 1_400;
    const effects = play.conflict(shown({ ...lost }, { version: "own-2" }));
    expect(effects).toContainEqual(expect.objectContaining({ type: "extended", untilUpper: 11_250 }));
    expect(play.core.nextTick().upper).toBe(3_750);
    play.until(3_750);
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { seq: 4 } });
  });
});

describe("the beginning of a term", () => {
  it("when a look is under way, its answer is about the time before, and counts for nothing", () => {
    const play = new Play();
    play.stand();
    play.read(undefined);
    play.step({ type: "wake" });
    play.until(0);
    const early = play.core.state.reading;
    expect(early).toBeDefined();
    play.written("own-1");
    expect(play.core.state.reading).toBeUndefined();
    play.read(shown(), early);
    expect(play.core.state.sighting.stored?.version).toBe("own-1");
  });

  it("when it stands again, what it has held itself is nothing new to it", () => {
    const play = leading();
    expect(play.core.state.sighting).toMatchObject({
      everPresent: true,
      stored: { version: "own-1", epoch: "e" },
    });
    play.until(1_250);
    play.written("own-2", "f");
    expect(play.core.state.sighting).toMatchObject({ epoch: "f", stored: { version: "own-2" } });
  });
});

describe("the deadline", () => {
  it("when nothing confirms the term, it is over at its deadline and not a millisecond before", () => {
    const play = leading();
    play.until(9_999);
    expect(told(play.effects)).toEqual(["elected"]);
    const effects = play.until(10_000);
    expect(effects).toContainEqual({ type: "lost", reason: "deadline", lateByMs: 0 });
    expect(play.core.nextTick().upper).toBe(11_000);
  });

  it("when the term was short, the next campaign that backs off waits, also after a loss", () => {
    const play = leading();
    play.until(10_000);
    expect(play.core.state.rest).toEqual({ shortTerms: 1, notBeforeLower: 10_375 });
  });

  it("when the term is lost in another way, that is never late", () => {
    const play = leading();
    play.until(1_250);
    expect(play.conflict(undefined)).toContainEqual({ type: "lost", reason: "store-lost", lateByMs: 0 });
  });

  it("when it is noticed late, it says by how much", () => {
    const play = leading();
    play.ms = 12_345;
    const effects = play.step({ type: "tick" });
    expect(effects).toContainEqual({ type: "lost", reason: "deadline", lateByMs: 2_345 });
  });

  it("when the answer of a renewal comes with it, it comes too late", () => {
    const play = leading();
    play.until(1_250);
    play.ms = 10_000;
    expect(told(play.written("own-2"))).toEqual(["lost deadline"]);
  });

  it("when it passes, nothing is renewed again; settled work gives back what may still be ours, once", () => {
    const play = leading();
    play.until(1_250);
    play.ms = 9_900;
    play.fail();
    play.until(10_000);
    const before = play.writes.length;
    play.until(10_500);
    expect(play.writes).toHaveLength(before);
    const effects = play.step({ type: "settle" });
    expect(told(effects)).toEqual([]);
    expect(play.lastWrite.record.state).toBe("released");
    expect(told(play.written("own-9"))).toEqual(["released released"]);
    expect(play.core.state.term).toBeUndefined();
    expect(play.writes).toHaveLength(before + 1);
  });

  it("when it has passed, the release is tried three times like any other", () => {
    const play = leading();
    play.until(1_250);
    play.fail();
    play.until(1_350);
    play.ms = 9_900;
    play.fail();
    play.until(10_500);
    play.step({ type: "settle" });
    const before = play.writes.length;
    play.fail("unknown", play.lastWrite.call);
    // Only after its pause.
    expect(play.step({ type: "tick" })).toEqual([]);
    play.untilWrite();
    play.fail("unknown", play.lastWrite.call);
    play.untilWrite();
    expect(play.writes).toHaveLength(before + 2);
    expect(told(play.fail("unknown", play.lastWrite.call))).toEqual(["released left-to-expire"]);
  });

  it("when the work does not settle within the drain, what may be ours is left to expire", () => {
    const play = leading();
    play.until(10_999);
    expect(told(play.effects)).toEqual(["elected", "lost deadline"]);
    expect(told(play.until(11_000))).toEqual(["released left-to-expire"]);
    expect(play.core.nextTick().upper).toBe(Number.POSITIVE_INFINITY);
    const writes = play.writes.length;
    expect(play.step({ type: "settle" })).toEqual([]);
    expect(play.writes).toHaveLength(writes);
    expect(play.core.state.term).toBeUndefined();
  });
});
