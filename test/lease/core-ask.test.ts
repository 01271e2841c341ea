/** Rule 10 for whoever asks: what is written into the holder's record, and what each thing seen afterwards means. */

import { describe, expect, it } from "vitest";
import type { Effect } from "../../src/lease/core-types.js";
import type { LeaseRecord, LeaseRequest } from "../../src/lease/record.js";
import type { Stored } from "../../src/lease/store.js";
import { Play, shown, told } from "../support/core-play.js";

const other: LeaseRequest = { id: "q", verb: "transfer", by: "op" };

function asking({ resign = false, to }: { resign?: boolean; to?: string } = {}): Play {
  const play = new Play({ node: "me" });
  play.step({ type: "ask", resign, ...(to === undefined ? {} : { to }) });
  return play;
}

/** Has written its request into the record of "other", token 5. */
function asked(options: Parameters<typeof asking>[0] = {}): Play {
  const play = asking(options);
  play.read(shown());
  play.written("asked");
  return play;
}

function ask(play: Play): LeaseRequest {
  const { request } = play.lastWrite.record;
  if (request === undefined) throw new Error("nothing was asked");
  return request;
}

/** At the next look. */
function seeing(play: Play, stored: Stored | undefined): readonly string[] {
  if (play.core.state.reading === undefined) play.until(play.core.nextTick().lower);
  return told(play.read(stored));
}

const results = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === "asked" ? [effect.result] : []));

describe("a request", () => {
  it("when the lease is held, it is written into its record, which keeps all else, and loses an old bid", () => {
    for (const [resign, verb] of [
      [false, "transfer"],
      [true, "resign"],
    ] as const) {
      const play = asking({ resign, to: "c" });
      const bid = { instance: "x", node: "x", requestId: "q" };
      play.read(shown({ seq: 7, bid, metadata: { zone: "x" } }));
      const { record, expected, absence } = play.lastWrite;
      expect({ expected, absence }).toEqual({ expected: "v7", absence: "waited" });
      expect(record).toMatchObject({
        instance: "other",
        token: 5,
        seq: 7,
        state: "held",
        metadata: { zone: "x" },
      });
      expect(record.request).toEqual({ id: record.writer, verb, by: "me", to: "c" });
      expect(record.bid).toBeUndefined();
      expect(record.nonce).not.toBe("n7");
    }
  });

  it("when a look from before it was written is answered after that, only its token counts", () => {
    const play = asking();
    play.read(shown());
    const { call } = play.lastWrite;
    play.step({ type: "wake" });
    play.until(play.core.nextTick().lower);
    const look = play.core.state.reading;
    play.written("asked", "e", call);
    play.read(shown({ token: 9, seq: 3 }), look);
    const { stored, highestToken } = play.core.state.sighting;
    expect({ version: stored?.version, highestToken }).toEqual({ version: "asked", highestToken: 9 });
  });

  it("when nobody is named, it names nobody", () => {
    const play = asking();
    play.read(shown());
    expect(Object.keys(ask(play))).not.toContain("to");
  });

  it("when nobody holds the lease, or its holder is silent, it is told so", () => {
    for (const stored of [
      undefined,
      shown({ state: "released" }),
      shown({ state: "offered" }),
      shown({ state: "draining" }),
      shown({}, { body: "newer" }),
    ]) {
      const answers = told(asking().read(stored)).filter((word) => word.startsWith("asked"));
      expect(answers).toEqual([stored?.body === "newer" ? "asked failed" : "asked not-held"]);
    }
    for (const [ms, answer] of [
      [14_999, []],
      [15_000, ["asked not-held"]],
    ] as const) {
      const play = new Play();
      play.step({ type: "watch", on: true });
      play.read(shown());
      play.until(5_000);
      play.ms = ms;
      expect(told(play.step({ type: "ask", resign: false }))).toEqual(answer);
    }
  });

  it("when another has asked already, it is superseded", () => {
    expect(told(asking().read(shown({ request: other })))).toEqual(["asked superseded"]);
  });

  it("when a look is not due yet, it looks at once", () => {
    const play = new Play();
    play.step({ type: "watch", on: true });
    play.read(shown({ state: "released" }));
    play.until(10);
    expect(play.step({ type: "ask", resign: false }).map(({ type }) => type)).toContainEqual("asked");
    const fresh = new Play();
    fresh.step({ type: "watch", on: true });
    fresh.read(shown());
    fresh.until(10);
    const effects = fresh.step({ type: "ask", resign: false });
    expect(effects.map(({ type }) => type)).toEqual(["write", "read"]);
  });

  it("when it is on its way, it is not written a second time, whatever is seen meanwhile", () => {
    const play = asking();
    play.read(shown());
    play.step({ type: "wake" });
    play.step({ type: "tick" });
    expect(told(play.read(shown({ seq: 2 })))).toEqual([]);
    expect(play.writes).toHaveLength(1);
  });

  it("when this process has lost its own term, and its work still runs, it asks like anybody else", () => {
    const play = new Play();
    play.lead();
    play.until(1_250);
    play.fail();
    play.until(10_000);
    play.step({ type: "ask", resign: false });
    play.conflict(shown({ token: 2_000_000, instance: "third" }));
    expect(play.lastWrite).toMatchObject({
      expected: "v1",
      record: { instance: "third", request: { verb: "transfer" } },
    });
  });

  it("when it is taken back, nothing is told of it", () => {
    const play = asking();
    play.step({ type: "retract" });
    expect(told(play.read(shown()))).toEqual([]);
    expect(play.writes).toEqual([]);
  });
});

describe("a request that conflicts or fails", () => {
  it("when renewals come first, it is written again, ten times at most", () => {
    const play = asking();
    play.read(shown());
    for (let seq = 2; seq <= 10; seq += 1) expect(told(play.conflict(shown({ seq })))).toEqual([]);
    expect(play.writes).toHaveLength(10);
    expect(told(play.conflict(shown({ seq: 11 })))).toEqual(["asked superseded"]);
  });

  it("when the conflict shows the request itself, it has arrived", () => {
    const play = asking();
    play.read(shown());
    const { record } = play.lastWrite;
    expect(told(play.conflict(shown({ ...record }, { version: "asked" })))).toEqual([]);
    expect(play.core.state.ask?.target).toEqual({ instance: "other", token: 5 });
    expect(play.writes).toHaveLength(1);
  });

  it("when the store does not answer, it is written again, three times at most", () => {
    const play = asking();
    play.read(shown());
    for (let count = 0; count < 2; count += 1)
      expect(told(play.fail("unknown", play.lastWrite.call))).toEqual([]);
    expect(play.writes).toHaveLength(3);
    const end = play.fail("unknown", play.lastWrite.call);
    expect(results(end)).toMatchObject([{ kind: "failed", cause: { message: "no answer" } }]);
  });

  it("when the store gives no answer to its looks, it fails after one more timeout; refused, at once", () => {
    const play = asking();
    expect(told(play.fail())).toEqual([]);
    play.ms = 1_999;
    play.step({ type: "tick" });
    expect(told(play.fail("unknown", play.core.state.reading))).toEqual([]);
    play.ms = 4_000;
    play.step({ type: "tick" });
    expect(told(play.fail("unknown", play.core.state.reading))).toEqual(["asked failed"]);
    expect(told(asking().fail("definite"))).toEqual(["asked failed"]);
  });
});

describe("what is seen after a request", () => {
  it("when the same term stands with the request, nothing is decided", () => {
    const play = asked();
    expect(seeing(play, shown({ seq: 2, request: ask(play) }))).toEqual([]);
    expect(seeing(play, shown({ seq: 3, state: "draining", request: ask(play) }))).toEqual([]);
    expect(seeing(play, shown({ seq: 4, state: "draining" }))).toEqual([]);
    expect(seeing(play, shown({ seq: 5, state: "offered", request: ask(play) }))).toEqual([]);
    expect(play.core.state.ask).toBeDefined();
  });

  it("when the term has cleared it, there was no candidate; when another stands in its place, it is superseded", () => {
    expect(seeing(asked(), shown({ seq: 2 }))).toEqual(["asked no-candidate"]);
    expect(seeing(asked(), shown({ seq: 2, request: other }))).toEqual(["asked superseded"]);
  });

  it("when the lease is gone or its holder silent, nobody holds it any more", () => {
    expect(seeing(asked(), undefined)).toEqual(["asked not-held"]);
    const play = asked();
    const standing = shown({ request: ask(play) }, { version: "asked" });
    while (play.core.state.ask !== undefined && play.ms < 20_000) seeing(play, standing);
    expect(play.told).toEqual(["asked not-held"]);
    expect(play.ms).toBeGreaterThanOrEqual(15_000);
  });

  it("when the store says nothing more, the holder counts as silent a ttl after it was seen, though nobody watches", () => {
    const play = asked();
    expect(told(play.until(14_999))).toEqual([]);
    expect(told(play.until(15_000))).toEqual(["asked not-held"]);
  });

  it("when it is released, a holder that was to resign has, and another has been superseded", () => {
    expect(seeing(asked({ resign: true }), shown({ state: "released", seq: 2 }))).toEqual(["asked resigned"]);
    expect(seeing(asked(), shown({ state: "released", seq: 2 }))).toEqual(["asked superseded"]);
  });

  it("when a new term follows this request, it names who leads now", () => {
    const play = asked();
    const fields: Partial<LeaseRecord> = { instance: "third", node: "c", token: 6, follows: ask(play).id };
    if (play.core.state.reading === undefined) play.until(play.core.nextTick().lower);
    expect(results(play.read(shown(fields)))).toEqual([{ kind: "transferred", to: "c", token: 6 }]);
    expect(play.core.state.ask).toBeUndefined();
  });

  it("when a new term follows another request or none, the old one has resigned or this was superseded", () => {
    for (const fields of [{ instance: "third" }, { token: 6 }, { token: 6, follows: "q" }]) {
      expect(seeing(asked(), shown(fields))).toEqual(["asked superseded"]);
      expect(seeing(asked({ resign: true }), shown(fields))).toEqual(["asked resigned"]);
    }
  });

  it("when a look from before it is answered after it, that decides nothing, and is made again", () => {
    const play = asking();
    play.read(shown());
    play.step({ type: "wake" });
    play.step({ type: "tick" });
    const early = play.core.state.reading;
    play.written("asked");
    const effects = play.read(shown(), early);
    expect(told(effects)).toEqual([]);
    expect(effects.map(({ type }) => type)).toContain("read");
    expect(play.core.state.ask).toBeDefined();
  });

  it("when such a look has waited for a conflict meanwhile, it is made again at once all the same", () => {
    const play = asking();
    play.read(shown());
    play.step({ type: "wake" });
    play.step({ type: "tick" });
    const early = play.core.state.reading;
    play.conflict(shown({ seq: 2 }));
    play.written("asked");
    expect(play.read(shown(), early).map(({ type }) => type)).toContain("read");
  });

  it("when this process leads by then, what the request met before is no sight any more", () => {
    const play = asking();
    play.read(shown());
    const { call } = play.lastWrite;
    play.stand();
    play.ms = 15_100;
    play.step({ type: "tick" });
    expect(play.lastWrite.record.state).toBe("held");
    play.written("own-1");
    play.conflict(shown({ seq: 3 }), call);
    expect(play.core.state.sighting.stored?.version).toBe("own-1");
  });

  it("when it is answered, what was written is what is there", () => {
    const play = asked();
    expect(play.core.state.sighting.stored).toMatchObject({ version: "asked", body: { request: ask(play) } });
  });
});

describe("a holder that asks itself", () => {
  function leading(): Play {
    const play = new Play({ node: "me" });
    play.lead();
    play.until(100);
    return play;
  }

  it("when it asks, the request goes out with a renewal at once, for renewMs and one request timeout", () => {
    const play = leading();
    expect(told(play.step({ type: "ask", resign: false, to: "b" }))).toEqual([]);
    play.until(100);
    expect(play.lastWrite.record.request).toMatchObject({ verb: "transfer", by: "me", to: "b" });
    play.written("own-2");
    play.until(2_600);
    play.written("own-3");
    play.until(4_599);
    expect(play.told).not.toContain("asked no-candidate");
    expect(told(play.until(4_600))).toEqual(["asked no-candidate"]);
    expect(play.core.state.term?.phase).toBe("leading");
  });

  it("when it shall resign, it does after that wait", () => {
    const play = leading();
    play.step({ type: "ask", resign: true });
    play.until(100);
    play.written("own-2");
    play.until(2_600);
    play.written("own-3");
    expect(told(play.until(4_600))).toContain("lost resigned");
  });

  it("when another request is being answered, it is superseded, and that one goes on", () => {
    const play = leading();
    play.step({ type: "end", reason: "resigned", drainMs: 1_000, to: "b" });
    const { handover } = play.core.state.term ?? {};
    for (const resign of [false, true])
      expect(told(play.step({ type: "ask", resign }))).toEqual(["asked superseded"]);
    expect(play.core.state.term?.handover).toEqual(handover);
  });

  it("when another request takes its place, it is superseded", () => {
    const play = leading();
    play.step({ type: "ask", resign: false });
    play.until(100);
    const { record } = play.lastWrite;
    const effects = play.conflict(
      shown({ ...record, seq: 1, writer: "op", nonce: "op", request: other }, { version: "op" }),
    );
    expect(told(effects)).toEqual(["asked superseded"]);
  });

  it("when its term drains, it waits; when a new term of another came by its request, it says so", () => {
    const play = leading();
    play.step({ type: "ask", resign: false });
    play.until(100);
    const own = ask(play);
    const { record } = play.lastWrite;
    const bid = { instance: "third", node: "c", requestId: own.id };
    play.written("own-2");
    play.untilWrite();
    play.conflict(shown({ ...record, writer: "third", nonce: "bid", bid }, { version: "bid" }));
    expect(play.told).toContain("lost transferred");
    expect(play.core.state.ask).toBeDefined();
    play.step({ type: "settle" });
    expect(told(play.written("own-4"))).toEqual(["released released"]);
    if (play.core.state.reading === undefined) play.until(play.core.nextTick().lower);
    const follows = shown({ instance: "third", node: "c", token: record.token + 1, follows: own.id });
    expect(results(play.read(follows))).toEqual([{ kind: "transferred", to: "c", token: record.token + 1 }]);
  });

  it("when it asked another and follows itself, the transfer was to this node", () => {
    const play = new Play({ node: "me" });
    play.step({ type: "ask", resign: false });
    play.read(shown());
    const own = ask(play);
    play.written("asked");
    play.stand();
    const { race } = play.core.state;
    if (race === undefined) throw new Error("it stands");
    for (let count = 0; play.writes.length < 2; count += 1) {
      if (count > 9) throw new Error("it does not bid");
      if (play.core.state.reading === undefined) play.until(play.core.nextTick().lower);
      play.read(shown({ request: own, writer: own.id, nonce: "asked" }, { version: "asked" }));
    }
    const { bid } = play.lastWrite.record;
    if (bid === undefined) throw new Error("it bids");
    play.written("bid");
    play.read(shown({ state: "offered", seq: 2, request: own, bid, offeredTo: race.instance }));
    if (play.core.state.reading !== undefined)
      play.read(shown({ state: "offered", seq: 2, request: own, bid, offeredTo: race.instance }));
    expect(play.lastWrite.record.follows).toBe(own.id);
    const { token } = play.lastWrite.record;
    expect(results(play.written("own-1"))).toEqual([{ kind: "transferred", to: "me", token }]);
  });
});
