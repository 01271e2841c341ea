/** Rule 12 to the letter: what is done about a take that nobody wants any more. */

import { describe, expect, it } from "vitest";
import { Play, released, shown, taking, told } from "../support/core-play.js";

describe("a take that is given up", () => {
  it("when its answer is still due, its arrival is undone before the end is told", () => {
    const play = taking();
    expect(told(play.step({ type: "withdraw" }))).toEqual([]);
    expect(told(play.written("own-1"))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    expect(told(play.written("own-2"))).toEqual(["withdrawn"]);
  });

  it("when its answer shows that it is in force, and reading back proves nothing, it is undone and not written once more", () => {
    const play = taking({ readBackProves: false });
    const { record } = play.lastWrite;
    play.step({ type: "withdraw" });
    expect(told(play.conflict(shown({ ...record }, { version: "own-1" })))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    expect(told(play.written("own-2"))).toEqual(["withdrawn"]);
  });

  it("when its undo is on its way, nothing is looked at any more, hints or not", () => {
    const play = taking();
    play.fail();
    play.step({ type: "wake" });
    play.read(released(1));
    const effects = [
      ...play.step({ type: "withdraw" }),
      ...play.step({ type: "wake" }),
      ...play.until(9_000),
    ];
    expect(effects.map(({ type }) => type)).toEqual(["write"]);
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
