/** Hints, ends and raises of the token, to the millisecond: what the core makes of inputs that are no answers. */

import { describe, expect, it } from "vitest";
import { leading, Play, shown, told } from "../support/core-play.js";

/** A follower that has seen "other" hold the lease, and looks next at 1,234 ms or later. */
function following(): Play {
  const play = new Play();
  play.stand();
  play.read(shown());
  play.core.state.rhythm.nextLower = 1_234;
  return play;
}

describe("a hint", () => {
  it("when a follower gets it, it looks within 5 ms, as chance has it", () => {
    for (const fraction of [0, 0.5, 1]) {
      const play = following();
      play.fraction = fraction;
      play.until(10);
      play.step({ type: "wake" });
      const due = fraction === 0 ? 10 : play.core.nextTick().lower;
      expect(due).toBe(10 + 5 * fraction);
      expect(play.core.state.reading !== undefined).toBe(fraction === 0);
    }
  });

  it("when it looks sooner anyway, a hint does not put that off", () => {
    const play = following();
    play.until(1_233);
    play.fraction = 1;
    play.step({ type: "wake" });
    expect(play.core.nextTick().lower).toBe(1_234);
  });

  it("when a look is under way, one more follows its answer, and only one", () => {
    const play = new Play();
    play.stand();
    play.step({ type: "wake" });
    expect(play.read(shown()).map(({ type }) => type)).toContain("read");
    expect(play.read(shown()).map(({ type }) => type)).not.toContain("read");
  });

  it("when a leader gets it, it renews a tenth of renewMs after its last send, and no sooner", () => {
    const play = leading();
    play.until(1_250);
    play.written("own-2");
    play.until(1_300);
    play.step({ type: "wake" });
    play.until(1_499);
    expect(play.writes).toHaveLength(2);
    play.until(1_500);
    expect(play.writes).toHaveLength(3);
    play.written("own-3");
    play.ms = 3_000;
    play.step({ type: "wake" });
    expect(play.writes).toHaveLength(4);
  });

  it("when it renews sooner anyway, a hint does not put that off", () => {
    const play = leading();
    play.until(1_250);
    play.written("own-2");
    play.step({ type: "renew" });
    expect(play.writes).toHaveLength(3);
    play.written("own-3");
    play.until(3_745);
    play.step({ type: "wake" });
    expect(play.writes).toHaveLength(4);
  });

  it("when its own take woke it, that is no news; later hints are", () => {
    const play = leading();
    play.until(249);
    play.step({ type: "wake" });
    expect(play.core.nextTick().upper).toBe(1_250);
    play.until(250);
    play.step({ type: "wake" });
    expect(play.writes).toHaveLength(2);
  });

  it("when renewMs is short, hints while a bid is waited for are no more frequent than a tenth of it", () => {
    const play = leading({ renewMs: 400 });
    play.step({ type: "end", reason: "resigned", drainMs: 1_000, to: "b" });
    play.written("own-2");
    play.step({ type: "wake" });
    expect(play.core.nextTick().upper).toBe(40);
  });
});

describe("a renewal that is asked for", () => {
  it("when the term is current, it is sent at once; when it is over, none is", () => {
    const play = leading();
    play.until(100);
    play.step({ type: "renew" });
    expect(play.lastWrite.record.seq).toBe(2);
    play.written("own-2");
    play.until(200);
    play.end();
    play.step({ type: "renew" });
    expect(play.writes).toHaveLength(2);
  });
});

describe("an observer", () => {
  it("when a holder drains, it is looked at like one that leads", () => {
    for (const state of ["held", "draining"] as const) {
      const play = new Play();
      play.step({ type: "watch", on: true });
      play.read(shown({ state }));
      expect(play.core.nextTick().lower).toBe(312.5);
    }
  });

  it("when a look fails, the next one comes after a pause", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    expect(play.fail()).toEqual([]);
    expect(play.core.nextTick().lower).toBe(125);
  });

  it("when nobody has led yet, it looks at the pace of its own ttl", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(undefined);
    expect(play.core.nextTick().lower).toBe(1_250);
  });

  it("when it watches, it looks at once, and goes on; when it stops, it does not", () => {
    const play = new Play();
    expect(play.step({ type: "watch", on: true }).map(({ type }) => type)).toEqual(["read"]);
    play.read(shown());
    play.until(5_000);
    play.step({ type: "watch", on: false });
    expect(play.read(shown()).map(({ type }) => type)).toEqual([]);
    expect(play.core.nextTick().lower).toBe(Number.POSITIVE_INFINITY);
    expect(play.step({ type: "tick" })).toEqual([]);
    // The next look was due a while ago, or would be later: it is now.
    expect(play.step({ type: "watch", on: true }).map(({ type }) => type)).toEqual(["read"]);
  });

  it("when this process leads or drains, nobody has to look; when its term is over, somebody has", () => {
    const play = leading();
    play.step({ type: "watch", on: true });
    expect(play.core.state.reading).toBeUndefined();
    play.end();
    expect(play.core.state.reading).toBeUndefined();
    play.until(1_000);
    expect(play.core.state.reading).toBeDefined();
  });

  it("when a look fails, it says why, until one succeeds", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.fail();
    expect(play.core.state.lastError).toMatchObject({ message: "no answer" });
    play.until(1_000);
    play.read(shown());
    expect(play.core.state.lastError).toBeUndefined();
  });
});

describe("a resource that has seen a higher token", () => {
  const outpaced = (watermark: number) => ({ type: "outpaced", watermark, drainMs: 1_000 }) as const;

  /** Its term ends by this, and its next one begins at once. Says when it is taken, and with which token. */
  function raised(play: Play, watermark: number) {
    expect(told(play.step(outpaced(watermark)))).toEqual(["lost outpaced"]);
    play.step({ type: "settle" });
    play.written("own-9");
    play.stand();
    play.read(shown({ state: "released", token: 6 }, { version: "own-9" }));
    if (play.core.state.race?.writing === undefined) play.untilWrite();
    const { token } = play.lastWrite.record;
    play.written("own-1");
    return { ms: play.ms, token };
  }

  it("when it tells a leader, the term ends, and the next one begins at once with a token above", () => {
    const play = leading();
    play.until(100);
    expect(raised(play, 7_000_000)).toEqual({ ms: 100, token: 7_000_001 });
  });

  it("when it tells it again, the next raise comes a ttl after the first, and the third one after that", () => {
    const play = leading();
    play.until(100);
    raised(play, 7_000_000);
    play.until(200);
    expect(raised(play, 8_000_000)).toEqual({ ms: 15_100, token: 8_000_001 });
    expect(raised(play, 9_000_000)).toEqual({ ms: 30_100, token: 9_000_001 });
  });

  it("when the raises lie far apart, none waits, also when it stands with back-off", () => {
    const play = leading();
    play.until(100);
    raised(play, 7_000_000);
    for (let count = 0; count < 8; count += 1) {
      play.untilWrite();
      play.written(`own-${count + 2}`);
    }
    expect(play.ms).toBeGreaterThan(15_100);
    play.step(outpaced(8_000_000));
    const since = play.ms;
    play.step({ type: "settle" });
    play.written("own-19");
    play.stand("patient", { backOff: true });
    play.read(shown({ state: "released", token: 6 }, { version: "own-19" }));
    expect(play.lastWrite.record.token).toBe(8_000_001);
    expect(play.ms).toBe(since);
  });

  it("when the watermark is lower than one told before, the higher one stays", () => {
    const play = leading();
    play.step(outpaced(7_000_000));
    play.step(outpaced(5_000_000));
    expect(play.core.state.floor).toBe(7_000_001);
  });

  it("when this very step finds the term over, what was seen stays true and nothing else happens", () => {
    const play = leading();
    play.ms = 10_000;
    expect(told(play.step(outpaced(7_000_000)))).toEqual(["lost deadline"]);
    expect(play.core.state.floor).toBe(7_000_001);
    expect(play.core.state.raiseLower).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("closing", () => {
  it("when a leader is closed, its term is lost and its lease left to expire", () => {
    const play = leading();
    expect(told(play.step({ type: "close" }))).toEqual(["lost stopped", "released left-to-expire"]);
    expect(play.core.state.term).toBeUndefined();
    expect(play.step({ type: "close" })).toEqual([]);
  });

  it("when a term that is over is closed, what was told is not told again", () => {
    const drained = leading();
    drained.end();
    expect(told(drained.step({ type: "close" }))).toEqual(["released left-to-expire"]);
    const overrun = leading();
    overrun.end();
    overrun.until(1_000);
    expect(overrun.told.at(-1)).toBe("released left-to-expire");
    expect(told(overrun.step({ type: "close" }))).toEqual([]);
  });
});

describe("a candidate while its own last term drains", () => {
  it("when its work has not settled, it does not stand; it takes when that has", () => {
    const play = leading();
    play.end();
    play.stand();
    play.until(1_000);
    expect(play.told.at(-1)).toBe("released left-to-expire");
    expect(play.writes).toHaveLength(2);
    const before = play.core.state.reading;
    play.written("own-2");
    // From before its own write came, so it looks again at once.
    play.read(shown({ state: "released", seq: 8 }), before);
    expect(play.core.state.reading).not.toBe(before);
    play.read(shown({ state: "released", seq: 9 }));
    play.until(2_000);
    expect(play.writes).toHaveLength(2);
    play.step({ type: "settle" });
    expect(play.lastWrite).toMatchObject({ expected: "v9", record: { state: "held" } });
  });

  it("when it is withdrawn meanwhile, that is told at once", () => {
    const play = leading();
    play.end();
    play.stand();
    expect(told(play.step({ type: "withdraw" }))).toEqual(["withdrawn"]);
  });
});

describe("the two readings of the clock", () => {
  it("when they differ, my claims end by the upper one, and others' by the lower one", () => {
    const play = new Play();
    play.aheadMs = 5_000;
    play.lead();
    expect(play.effects).toContainEqual(expect.objectContaining({ type: "elected", untilUpper: 15_000 }));
    play.aheadMs = 14_000;
    expect(told(play.until(1_000))).toEqual(["lost deadline"]);
    const follower = new Play();
    follower.aheadMs = 5_000;
    follower.stand();
    follower.read(shown());
    follower.aheadMs = 60_000;
    follower.ms = 14_999;
    follower.step({ type: "tick" });
    expect(follower.writes).toEqual([]);
    follower.ms = 15_100;
    follower.step({ type: "tick" });
    expect(follower.writes).toHaveLength(1);
  });
});
