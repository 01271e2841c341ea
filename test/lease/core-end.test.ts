/** The end of a term to the millisecond: the drain, and the last write. */

import { describe, expect, it } from "vitest";
import { leading, type Play, shown, told } from "../support/core-play.js";

describe("the drain", () => {
  it("when the work needs a while, the lease is renewed for it, first after 5 ms, and released when it settles", () => {
    const play = leading();
    play.until(100);
    expect(told(play.end())).toEqual(["lost resigned"]);
    expect(play.effects).toContainEqual({ type: "lost", reason: "resigned", lateByMs: 0 });
    play.until(104);
    expect(play.writes).toHaveLength(1);
    play.until(105);
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { seq: 2, state: "draining" } });
    play.written("own-2");
    play.until(1_000);
    play.step({ type: "settle" });
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { seq: 3, state: "released" } });
    expect(told(play.written("own-3"))).toEqual(["released released"]);
  });

  it("when the work takes as long as the drain may, nothing is renewed any more and nothing released", () => {
    const play = leading();
    play.until(100);
    play.end();
    play.until(105);
    play.written("own-2");
    play.until(1_099);
    expect(told(play.effects)).toEqual(["elected", "lost resigned"]);
    expect(told(play.until(1_100))).toEqual(["released left-to-expire"]);
    expect(play.writes).toHaveLength(2);
    play.until(60_000);
    expect(told(play.step({ type: "settle" }))).toEqual([]);
    expect(play.writes).toHaveLength(2);
    expect(play.core.state.term).toBeUndefined();
  });

  it("when renewals of the drain fail until the lease has run out, none is sent any more", () => {
    const play = leading();
    play.until(100);
    play.step({ type: "end", reason: "resigned", drainMs: 60_000 });
    play.until(105);
    const before = play.told;
    for (; play.ms < 10_000; play.until(Math.min(10_000, play.core.nextTick().upper)))
      if (play.core.state.term?.writing !== undefined) play.fail();
    // None of this is told: the term is over for whoever led.
    expect(play.told).toEqual(before);
    const sent = play.writes.length;
    play.until(20_000);
    expect(play.writes).toHaveLength(sent);
    play.step({ type: "settle" });
    expect(play.lastWrite.record.state).toBe("released");
  });

  it("when a drain's renewal is confirmed, the lease lasts as much longer and nobody believes", () => {
    const play = leading();
    play.until(100);
    play.step({ type: "end", reason: "resigned", drainMs: 60_000 });
    play.until(105);
    expect(told(play.written("own-2"))).toEqual([]);
    play.until(2_605);
    expect(play.lastWrite).toMatchObject({ record: { seq: 3, state: "draining" } });
    // Its own deadline counts from the confirmed one.
    play.fail();
    expect(play.core.state.term?.deadlineUpper).toBe(10_105);
  });

  it("when the lease is somebody else's under the drain, that is told to nobody, and nothing is left to release", () => {
    const play = leading();
    play.until(100);
    play.end();
    play.until(105);
    expect(told(play.conflict(shown({ token: 2_000_000 })))).toEqual([]);
    expect(told(play.step({ type: "settle" }))).toEqual(["released left-to-expire"]);
    expect(play.writes).toHaveLength(2);
  });

  it("when a write was under way at the end, the draining one follows it", () => {
    const play = leading();
    play.until(1_250);
    play.end();
    play.until(1_300);
    expect(play.writes).toHaveLength(2);
    play.written("own-2");
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { state: "draining", seq: 3 } });
  });

  it("when the work settles while a write is under way, the release follows its answer", () => {
    const play = leading();
    play.until(1_250);
    play.end();
    play.step({ type: "settle" });
    expect(play.lastWrite.record.state).toBe("held");
    play.written("own-2");
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { state: "released", seq: 3 } });
  });
});

describe("the end of a term whose work has settled before", () => {
  it("when it is lost for certain, all is over at once", () => {
    const play = leading();
    play.step({ type: "settle" });
    play.until(1_250);
    expect(told(play.conflict(undefined))).toEqual(["lost store-lost", "released left-to-expire"]);
    expect(play.core.state.term).toBeUndefined();
  });

  it("when its deadline passes, what may still be ours is released", () => {
    const play = leading();
    play.step({ type: "settle" });
    play.until(1_250);
    play.ms = 9_950;
    play.fail();
    expect(told(play.until(10_000))).toEqual(["lost deadline"]);
    expect(play.lastWrite.record.state).toBe("released");
  });
});

describe("the last write", () => {
  function releasing(): Play {
    const play = leading();
    play.until(100);
    play.step({ type: "settle" });
    play.end();
    expect(play.lastWrite.record.state).toBe("released");
    return play;
  }

  it("when the work has settled already, there is no draining before it", () => {
    const play = releasing();
    expect(play.writes).toHaveLength(2);
    expect(told(play.effects)).toEqual(["elected", "lost resigned"]);
  });

  it("when it fails three times, after growing pauses, the lease is left to expire", () => {
    const play = releasing();
    expect(told(play.fail())).toEqual([]);
    play.until(199);
    expect(play.writes).toHaveLength(2);
    play.until(200);
    expect(play.writes).toHaveLength(3);
    expect(told(play.fail())).toEqual([]);
    play.until(400);
    expect(play.writes).toHaveLength(4);
    expect(told(play.fail())).toEqual(["released left-to-expire"]);
    expect(play.core.state.term).toBeUndefined();
    play.until(60_000);
    expect(play.writes).toHaveLength(4);
  });

  it("when it is answered so late that another try would be due, there is none", () => {
    const play = releasing();
    play.ms = 9_000;
    expect(told(play.written("own-2"))).toEqual(["released released"]);
    expect(play.writes).toHaveLength(2);
  });

  it("when it is not answered, it is not sent again, and the drain's end does not matter", () => {
    const play = releasing();
    expect(play.until(9_999)).toEqual([]);
    expect(play.core.nextTick().upper).toBe(Number.POSITIVE_INFINITY);
    play.step({ type: "tick" });
    expect(told(play.written("own-2"))).toEqual(["released released"]);
  });

  it("when the work says once more that it has settled, that changes nothing", () => {
    const play = releasing();
    expect(play.step({ type: "settle" })).toEqual([]);
    expect(told(play.written("own-2"))).toEqual(["released released"]);
    expect(play.step({ type: "settle" })).toEqual([]);
  });

  it("when it conflicts with a lease that is somebody else's, nothing is left to release", () => {
    const play = releasing();
    expect(told(play.conflict(shown({ token: 2_000_000 })))).toEqual(["released left-to-expire"]);
    expect(play.core.state.term).toBeUndefined();
  });

  it("when it arrived without its reply, the next try finds it", () => {
    const play = releasing();
    const { record } = play.lastWrite;
    play.fail();
    play.until(200);
    expect(told(play.conflict(shown({ ...record }, { version: "own-2" })))).toEqual(["released released"]);
  });

  it("when a renewal is found in its place, it is said again at once", () => {
    const play = leading();
    play.until(1_250);
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "settle" });
    play.end();
    expect(play.lastWrite.record.state).toBe("released");
    play.conflict(shown({ ...record }, { version: "own-2" }));
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { state: "released" } });
    expect(told(play.written("own-3"))).toEqual(["released released"]);
  });
});
