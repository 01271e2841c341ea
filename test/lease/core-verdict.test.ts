/** Rule 4, to the letter: what one conflict says to a holder. */

import { describe, expect, it } from "vitest";
import type { LeaseRecord } from "../../src/lease/record.js";
import { Play, shown, told } from "../support/core-play.js";

describe("a holder whose write conflicts", () => {
  it("when a bid lies over that very write, which was delivered twice, it has no clone", () => {
    const play = new Play();
    play.lead();
    play.until(3_000);
    const { record } = play.lastWrite;
    expect(record.seq).toBe(2);
    const bid = { instance: "other", node: "b", requestId: "r" };
    const effects = play.conflict(shown({ ...record, writer: "other", nonce: "bid", bid }));
    expect(told(effects)).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "v2", record: { seq: 3, bid } });
  });

  const lost: [string, Partial<LeaseRecord>, string][] = [
    ["another instance with the same token", { instance: "third" }, "superseded"],
    ["its own instance with another token", { token: 1 }, "superseded"],
    ["its record as released", { state: "released" }, "superseded"],
    ["its record as offered", { state: "offered" }, "superseded"],
    ["a seq below the one confirmed last", { seq: 1 }, "store-lost"],
    ["a seq that it never used", { seq: 4 }, "duplicate-identity"],
    ["a nonce that it never sent", { writer: "own", nonce: "twin", seq: 2 }, "duplicate-identity"],
  ];

  /** Its seq 2 is confirmed, its seq 3 on its way. */
  function renewing(config: ConstructorParameters<typeof Play>[0] = {}) {
    const play = new Play(config);
    play.lead();
    play.until(1_250);
    play.written("own-2");
    const { record } = play.lastWrite;
    play.until(3_750);
    return { play, confirmed: record, sent: play.lastWrite.record };
  }

  it.each(lost)("when it shows %s, the term is lost at once, and given up for good", (_, fields, reason) => {
    const { play, confirmed } = renewing();
    const writer = fields.writer === "own" ? confirmed.instance : "op";
    const effects = play.conflict(shown({ ...confirmed, nonce: "op", ...fields, writer }, { version: "x" }));
    expect(effects).toContainEqual({ type: "lost", reason, lateByMs: 0 });
    const { length } = play.writes;
    expect(told(play.step({ type: "settle" }))).toEqual(["released left-to-expire"]);
    expect(play.writes).toHaveLength(length);
  });

  it("when it shows nothing, the store has lost the term", () => {
    const { play } = renewing();
    expect(told(play.conflict(undefined))).toEqual(["lost store-lost"]);
  });

  it("when it shows what cannot be read, nobody knows, and it tries again", () => {
    const { play } = renewing();
    const effects = play.conflict(shown({}, { body: "unreadable" }));
    expect(told(effects)).toEqual(["renewFailed", "uncertain"]);
    expect(play.core.state.lastError).toMatchObject({ code: "RECORD_UNREADABLE" });
  });

  it("when it shows its confirmed record with a request, the write is repeated on that", () => {
    const { play, confirmed } = renewing();
    const request = { id: "r", verb: "transfer", by: "op" } as const;
    const fields = { ...confirmed, writer: "op", nonce: "op", request };
    expect(told(play.conflict(shown(fields, { version: "op" })))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "op", record: { request, seq: 4 } });
  });

  it("when it shows what others wrote into its record, all of that is carried on, and its own labels", () => {
    const { play, confirmed } = renewing();
    const others = {
      request: { id: "r", verb: "transfer", by: "op", to: "c" },
      bid: { instance: "third", node: "d", requestId: "q" },
      follows: "q",
      unknown: { later: 1 },
    } as const;
    const labels = { electedAt: 77, ttlMs: 12_000, expiry: "store-clock" } as const;
    const fields = { ...confirmed, ...others, ...labels, writer: "op", nonce: "op" };
    play.conflict(shown(fields, { version: "op" }));
    expect(play.lastWrite.record).toMatchObject({ ...others, ...labels, seq: 4, state: "held" });
  });

  it("when nobody wrote anything into its record, no write of it names what others could have written", () => {
    const { sent } = renewing();
    expect(Object.keys(sent).toSorted()).toEqual(Object.keys(shown().body).toSorted());
  });

  it("when it shows its confirmed record as that was, the write is repeated", () => {
    const { play, confirmed } = renewing();
    expect(told(play.conflict(shown({ ...confirmed }, { version: "again" })))).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "again", record: { seq: 4 } });
  });

  it("when it shows this very write, it has arrived, unless reading back proves nothing", () => {
    const { play, sent } = renewing();
    expect(told(play.conflict(shown({ ...sent }, { version: "own-3" })))).toEqual(["extended"]);
    expect(play.core.state.term).toMatchObject({ version: "own-3", deadlineUpper: 13_750 });
    const doubted = renewing({ readBackProves: false });
    expect(told(doubted.play.conflict(shown({ ...doubted.sent }, { version: "own-3" })))).toEqual([]);
    expect(doubted.play.lastWrite).toMatchObject({ expected: "own-3", record: { seq: 4 } });
    expect(doubted.play.core.state.term?.deadlineUpper).toBe(11_250);
  });

  it("when a conflict shows another write than the one it answers, that one can come into force no more", () => {
    const { play, confirmed } = renewing();
    play.conflict(shown({ ...confirmed, writer: "op", nonce: "op" }, { version: "op" }));
    expect(play.core.state.term?.tries.map(({ record }) => record.nonce)).toEqual([
      play.lastWrite.record.nonce,
    ]);
  });

  it("when what cannot be read lies over this very write, which was delivered twice, it has arrived once it can be read", () => {
    const { play, sent } = renewing();
    play.conflict(shown({}, { body: "newer" }));
    play.untilWrite();
    expect(told(play.conflict(shown({ ...sent }, { version: "own-3" })))).toEqual(["extended", "confirmed"]);
    expect(play.core.state.term?.acked.nonce).toBe(sent.nonce);
  });

  it("when it shows what conflicted before, the store has gone back and carried that out, until a later one is confirmed", () => {
    const { play, confirmed, sent } = renewing();
    play.conflict(shown({ ...confirmed, writer: "op", nonce: "op" }, { version: "op" }));
    expect(told(play.conflict(shown({ ...sent }, { version: "own-3" })))).toEqual(["lost store-lost"]);
    const later = renewing();
    later.play.conflict(shown({ ...later.confirmed, writer: "op", nonce: "op" }, { version: "op" }));
    later.play.written("own-4");
    expect(later.play.core.state.term?.refused).toEqual([]);
    later.play.until(9_000);
    expect(told(later.play.conflict(shown({ ...later.sent }, { version: "own-3" })))).toEqual([
      "lost store-lost",
    ]);
  });

  it("when a store that does not prove shows the same write again, it is no clone's", () => {
    const { play, sent } = renewing({ readBackProves: false });
    play.conflict(shown({ ...sent }, { version: "own-3" }));
    // A replica takes over, which has the third write and not the fourth.
    expect(told(play.conflict(shown({ ...sent }, { version: "own-3", epoch: "f" })))).toEqual([]);
    play.until(play.core.nextTick().upper);
    expect(play.lastWrite).toMatchObject({ expected: "own-3", record: { seq: 5 } });
  });

  it("when it is lost to another, what it was shown is what this node knows from then on", () => {
    const { play } = renewing();
    play.conflict(shown({ instance: "third", token: 9_000_000 }, { version: "x" }));
    const { stored, sinceLower } = play.core.state.sighting;
    expect({ version: stored?.version, sinceLower }).toEqual({ version: "x", sinceLower: 3_750 });
  });

  it("when the store is in another epoch by then, this node counts what it sees from there once it stands again", () => {
    const { play, confirmed } = renewing();
    play.conflict(shown({ ...confirmed, writer: "op", nonce: "op" }, { version: "op", epoch: "f" }));
    expect(play.core.state.sighting).toMatchObject({ epoch: "f", sinceLower: 3_750 });
  });
});
