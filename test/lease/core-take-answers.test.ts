/** What each answer to a take means to a candidate. */

import { describe, expect, it } from "vitest";
import { Play, released, shown, taking, told } from "../support/core-play.js";

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
