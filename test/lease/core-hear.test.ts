/** Rule 2: answers that come out of order. What is older than the newest sight tells nothing of the record. */

import { describe, expect, it } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Stored } from "../../src/lease/store.js";
import { Play, shown, told } from "../support/core-play.js";

const request = { id: "q", verb: "transfer", by: "op" } as const;

function lookAgain(play: Play, stored: Stored | undefined): readonly string[] {
  while (play.core.state.reading === undefined) play.until(play.core.nextTick().lower);
  return told(play.read(stored));
}

/** The version that it takes for the present one, and since when. */
function sight({ core }: Play): [string | undefined, number] {
  const { stored, sinceLower } = core.state.sighting;
  return [stored?.version, sinceLower];
}

/** A candidate whose first take, on an absent record, is on its way, and who has been shown this since. */
function overtaken(since: Stored): { play: Play; call: number } {
  const play = new Play();
  play.stand();
  play.read(undefined);
  const { call } = play.lastWrite;
  play.ms = 100;
  lookAgain(play, since);
  play.ms = 500;
  return { play, call };
}

/** A candidate that looked while its take was on its way, and was told of seq 8 by the conflict that this met. */
function conflicted(): { play: Play; look: number | undefined } {
  const play = new Play();
  play.stand();
  play.read(undefined);
  const { call } = play.lastWrite;
  play.until(play.core.nextTick().lower);
  const look = play.core.state.reading;
  play.conflict(shown({ seq: 8 }), call);
  return { play, look };
}

describe("an answer to a call that was sent before the newest sight came", () => {
  const later = shown({ seq: 8 });

  it.each<[string, Partial<LeaseRecord>, Partial<Stored>]>([
    ["a lower seq of the same term", { seq: 7 }, {}],
    ["a lower token of another instance", { seq: 9, instance: "third", token: 4 }, {}],
    ["a lower token of the same instance", { seq: 9, token: 4 }, {}],
  ])("when it shows %s, it is out of date", (_, fields, stored) => {
    const { play, call } = overtaken(later);
    const [, since] = sight(play);
    play.conflict(shown(fields, stored), call);
    expect(sight(play)).toEqual(["v8", since]);
    lookAgain(play, shown({ seq: 8 }));
    expect(sight(play)).toEqual(["v8", since]);
  });

  it.each<[string, Partial<LeaseRecord>, Partial<Stored>]>([
    ["a higher seq of the same term", { seq: 9 }, {}],
    ["a higher token", { token: 6 }, {}],
    ["another instance with the same token", { instance: "third" }, {}],
    ["an epoch that it has not heard of", { seq: 7 }, { epoch: "f" }],
    ["what cannot be read", {}, { body: "newer" }],
  ])("when it shows %s, that counts from now on", (_, fields, stored) => {
    const { play, call } = overtaken(later);
    play.conflict(shown(fields, { version: "now", ...stored }), call);
    expect(sight(play)).toEqual(["now", 500]);
  });

  it("when it shows the same seq, it may be newer, and restarts no clock", () => {
    const { play, call } = overtaken(later);
    const [, since] = sight(play);
    play.conflict(shown({ seq: 8, nonce: "asked", request }, { version: "now" }), call);
    expect(sight(play)).toEqual(["now", since]);
  });

  it("when it shows nothing, absence counts from now on, as it may be newer", () => {
    const { play, call } = overtaken(later);
    play.conflict(undefined, call);
    expect(sight(play)).toEqual([undefined, 500]);
  });

  it("when it tells of the epoch before the present one, it is out of date", () => {
    const play = new Play();
    play.stand();
    play.read(shown({ state: "released" }));
    const { call } = play.lastWrite;
    play.ms = 100;
    lookAgain(play, shown({ seq: 2 }, { epoch: "f" }));
    const [, since] = sight(play);
    play.ms = 500;
    play.conflict(shown({ seq: 3 }), call);
    expect(sight(play)).toEqual(["v2", since]);
    expect(play.core.state.sighting.epoch).toBe("f");
  });

  it("when it tells of the epoch before, and nothing is there in this one, the name was present all the same (rule 5)", () => {
    const play = new Play();
    play.stand();
    play.read(undefined);
    const calls = [play.lastWrite.call];
    for (let count = 0; count < 2; count += 1) {
      play.fail("unknown", play.lastWrite.call);
      while (play.writes.length === calls.length) {
        if (play.core.state.reading !== undefined) play.read(undefined);
        else play.until(play.core.nextTick().lower);
      }
      calls.push(play.lastWrite.call);
    }
    const [first, second, third] = calls;
    play.answer({ kind: "unproven", epoch: "e" }, first);
    play.answer({ kind: "unproven", epoch: "f" }, second);
    lookAgain(play, undefined);
    expect(play.core.state.sighting).toMatchObject({ everPresent: false, epoch: "f" });
    play.conflict(shown({ seq: 3 }), third);
    const { everPresent, stored } = play.core.state.sighting;
    expect({ everPresent, stored }).toEqual({ everPresent: true, stored: undefined });
  });

  it("when it was sent after that sight, an older seq is news: the store has gone back", () => {
    const play = new Play();
    play.stand();
    play.read(shown({ seq: 8, state: "released" }));
    const { call } = play.lastWrite;
    play.ms = 500;
    play.conflict(shown({ seq: 7 }), call);
    expect(sight(play)).toEqual(["v7", 500]);
  });

  it("when it was sent after that sight, the epoch before is news as well: a look is believed", () => {
    const play = new Play();
    play.stand();
    play.read(shown({ seq: 2 }));
    play.ms = 500;
    lookAgain(play, shown({ seq: 2 }, { epoch: "f" }));
    play.ms = 1_000;
    lookAgain(play, shown({ seq: 2 }, { epoch: "e" }));
    const { epoch, epochSinceLower } = play.core.state.sighting;
    expect({ epoch, epochSinceLower, since: sight(play)[1] }).toEqual({
      epoch: "e",
      epochSinceLower: play.ms,
      since: play.ms,
    });
  });

  it("when a look was on its way while a conflict came, its answer tells nothing, and it is made again at once", () => {
    const { play, look } = conflicted();
    const [, since] = sight(play);
    play.ms += 5;
    play.read(shown({ seq: 7 }), look);
    expect(sight(play)).toEqual(["v8", since]);
    expect(play.core.state.reading).toBeGreaterThan(look ?? Infinity);
  });
});

describe("life", () => {
  it("when a late answer to a request shows an old renewal, the next look does not take the newest one for life", () => {
    const play = new Play({ node: "me" });
    play.step({ type: "ask", resign: false });
    play.read(shown({ seq: 3 }));
    const { call, record } = play.lastWrite;
    const carriedOn = shown({ seq: 5, ...(record.request && { request: record.request }) });
    play.stand("evidence");
    lookAgain(play, carriedOn);
    const [, since] = sight(play);
    play.ms += 500;
    play.written("asked", "e", call);
    expect(play.core.state.ask?.target).toEqual({ instance: "other", token: 5 });
    lookAgain(play, carriedOn);
    expect(sight(play)).toEqual(["v5", since]);
    expect(play.core.state.race?.sawRise).toBe(false);
  });

  it("when a late answer to a bid shows an old renewal, the next look does not take the newest one for life", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.stand();
    play.read(shown({ seq: 3, request }));
    const { call, record } = play.lastWrite;
    expect(record.bid).toBeDefined();
    lookAgain(play, shown({ seq: 4, request }));
    const [, since] = sight(play);
    play.ms += 500;
    play.written("bid", "e", call);
    lookAgain(play, shown({ seq: 4, request }));
    expect(sight(play)).toEqual(["v4", since]);
  });
});

describe("an answer that nobody waits for any more", () => {
  /** Its take on a held record has timed out, and it has seen the record in epoch f after epoch e. */
  function waiting(): { play: Play; call: number } {
    const play = new Play();
    play.stand();
    play.read(shown({ state: "released" }));
    const { call } = play.lastWrite;
    play.fail("unknown", call);
    lookAgain(play, shown({ seq: 2 }, { epoch: "f" }));
    play.ms += 1_000;
    return { play, call };
  }

  it("when it tells of another epoch, what was seen counts anew from now on (rule 5)", () => {
    const { play, call } = waiting();
    play.conflict(shown({ seq: 2 }, { epoch: "g" }), call);
    const { epoch, epochSinceLower } = play.core.state.sighting;
    expect({ sight: sight(play), epoch, epochSinceLower }).toEqual({
      sight: ["v2", play.ms],
      epoch: "g",
      epochSinceLower: play.ms,
    });
  });

  it("when a look shows the same in that epoch, it counts from then: nobody has seen it there before", () => {
    const { play, call } = waiting();
    play.conflict(shown({ seq: 9 }, { epoch: "g" }), call);
    const { epochSinceLower } = play.core.state.sighting;
    play.ms += 1_000;
    lookAgain(play, shown({ seq: 2 }, { epoch: "g" }));
    expect(sight(play)).toEqual(["v2", play.ms]);
    expect(play.core.state.sighting.epochSinceLower).toBe(epochSinceLower);
  });

  it("when it is a late answer to a bid, which is none to a look, its epoch counts as well", () => {
    const play = new Play();
    play.stand();
    play.read(shown({ request }));
    const { call } = play.lastWrite;
    play.fail("unknown", call);
    play.ms += 1_000;
    play.written("bid", "f", call);
    expect(sight(play)).toEqual(["v1", 1_000]);
    expect(play.core.state.sighting.epoch).toBe("f");
  });

  it("when it tells of the epoch before, it is out of date", () => {
    const { play, call } = waiting();
    const before = sight(play);
    play.conflict(shown({ seq: 2 }, { epoch: "e" }), call);
    expect(sight(play)).toEqual(before);
    expect(play.core.state.sighting.epoch).toBe("f");
  });

  it("when a look tells of another epoch, but not of the newest sight, what was seen counts anew at once", () => {
    const { play, look } = conflicted();
    play.ms += 5;
    play.read(shown({ seq: 7 }, { epoch: "f" }), look);
    expect(sight(play)).toEqual(["v8", play.ms]);
    expect(play.core.state.sighting.epoch).toBe("f");
  });
});
