/** A candidate that finds a record of its own candidacy: its take, or that of a clone. */

import { describe, expect, it } from "vitest";
import { Play, released, shown, taking, told } from "../support/core-play.js";

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

  it("when that write arrived without its reply, the next one on the same version finds it, and the term begins", () => {
    const play = taking();
    const { record } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ ...record, writer: "op", nonce: "op-1" }, { version: "op-1" }));
    play.untilWrite();
    const own = play.lastWrite.record;
    play.fail("unknown", play.lastWrite.call);
    play.untilWrite();
    expect(play.lastWrite.expected).toBe("op-1");
    expect(told(play.conflict(shown({ ...own }, { version: "own-2" })))).toEqual(["elected"]);
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

  it("when another was seen with its token since, and the store has forgotten that, it undoes its take", () => {
    const play = taking();
    const { record, call } = play.lastWrite;
    play.fail();
    play.step({ type: "wake" });
    play.read(shown({ token: record.token }, { version: "other-1" }));
    // Late, and of another memory of the store.
    expect(told(play.written("own-1", "f", call))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
  });

  it.each(["before", "after"])(
    "when another was seen with its token %s the take itself was, and the store has forgotten that, it undoes its take",
    (order) => {
      const play = taking({ readBackProves: false });
      const { record, call } = play.lastWrite;
      play.fail();
      const own = shown({ ...record }, { version: "own-1" });
      const other = shown({ token: record.token }, { version: "other-1" });
      for (const stored of order === "before" ? [other, own] : [own, other]) {
        play.step({ type: "wake" });
        play.until(play.ms + 5);
        play.read(stored);
      }
      expect(told(play.written("own-1", "f", call))).toEqual([]);
      expect(play.lastWrite).toMatchObject({ expected: "own-1", record: { state: "released" } });
    },
  );

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
