/** Rule 10 to the millisecond: requests, bids and offers, for the holder, the candidate and whoever asks. */

import { describe, expect, it } from "vitest";
import type { LeaseRecord, LeaseRequest } from "../../src/lease/record.js";
import { leading, Play, shown, told } from "../support/core-play.js";

const request: LeaseRequest = { id: "r", verb: "transfer", by: "op" };
const bid = { instance: "other", node: "b", requestId: "r" };

/** Its next renewal conflicts with what somebody has written into its record. */
function writtenInto(play: Play, fields: Partial<LeaseRecord>, version = "op"): readonly string[] {
  if (play.core.state.term?.writing === undefined) play.untilWrite();
  const { record, expected } = play.lastWrite;
  const stands = { ...record, seq: record.seq - 1, writer: "op", nonce: version };
  expect(expected).toBeDefined();
  return told(play.conflict(shown({ ...stands, ...fields }, { version })));
}

describe("a holder that is asked for a successor", () => {
  it("when it is a transfer, it leads on and carries the request, for renewMs and one request timeout", () => {
    const play = leading();
    play.until(1_250);
    expect(writtenInto(play, { request })).toEqual([]);
    expect(play.lastWrite).toMatchObject({ expected: "op", record: { request, state: "held", seq: 3 } });
    play.written("own-3");
    play.until(3_750);
    play.written("own-4");
    play.until(5_749);
    expect(play.lastWrite.record.request).toEqual(request);
    play.until(5_750);
    // Nobody has answered: the request is cleared at once, and the same term goes on.
    expect(play.lastWrite).toMatchObject({ expected: "own-4", record: { state: "held", seq: 5 } });
    expect(play.lastWrite.record.request).toBeUndefined();
    expect(play.told).not.toContain("lost transferred");
  });

  it("when a renewal that carries the request is under way as the wait ends, the next one clears it all the same", () => {
    const play = leading();
    play.until(1_250);
    writtenInto(play, { request });
    play.written("own-3");
    play.until(5_750);
    expect(play.lastWrite).toMatchObject({ expected: "own-3", record: { request } });
    play.written("own-4");
    expect(play.lastWrite).toMatchObject({ expected: "own-4", record: { state: "held", seq: 5 } });
    expect(play.lastWrite.record.request).toBeUndefined();
  });

  it("when the same request is seen again, the wait for a bid does not begin anew; with another one it does", () => {
    const play = leading();
    play.until(1_250);
    writtenInto(play, { request });
    play.until(2_000);
    writtenInto(play, { request }, "op-2");
    expect(play.core.state.term?.handover).toMatchObject({ requestId: "r", untilUpper: 5_750 });
    writtenInto(play, { request: { ...request, id: "r2" } }, "op-3");
    expect(play.core.state.term?.handover).toMatchObject({ requestId: "r2", untilUpper: 6_600 });
  });

  it("when a bid answers it, belief ends, and the lease is offered to the bidder once the work has settled", () => {
    const play = leading();
    play.until(1_250);
    writtenInto(play, { request });
    expect(writtenInto(play, { request, bid }, "op-2")).toEqual(["lost transferred"]);
    expect(play.core.nextTick().upper).toBeLessThan(5_750);
    play.step({ type: "settle" });
    expect(play.lastWrite).toMatchObject({
      expected: "op-2",
      record: { state: "offered", offeredTo: "other", request, bid },
    });
    expect(told(play.written("own-10"))).toEqual(["released released"]);
  });

  it("when a bid is from another node than the one named, or for another request, it is none", () => {
    for (const fields of [
      { request: { ...request, to: "c" }, bid },
      { request, bid: { ...bid, requestId: "q" } },
      { bid },
    ]) {
      const play = leading();
      play.until(1_250);
      expect(writtenInto(play, fields)).toEqual([]);
      expect(play.core.state.term?.phase).toBe("leading");
    }
    const named = leading();
    named.until(1_250);
    expect(writtenInto(named, { request: { ...request, to: "b" }, bid })).toEqual(["lost transferred"]);
  });

  it("when it shall resign, it needs no bid: it ends at once, and releases", () => {
    const play = leading();
    play.until(1_250);
    expect(writtenInto(play, { request: { ...request, verb: "resign" } })).toEqual(["lost resigned"]);
    play.step({ type: "settle" });
    expect(play.lastWrite.record.state).toBe("released");
    const offered = leading();
    offered.until(1_250);
    expect(writtenInto(offered, { request: { ...request, verb: "resign" }, bid })).toEqual(["lost resigned"]);
  });

  it("when its term is lost while a bid is waited for, nobody waits for it any more", () => {
    const play = leading();
    play.until(1_250);
    writtenInto(play, { request });
    expect(writtenInto(play, { instance: "third" }, "x")).toEqual(["lost superseded"]);
    expect(play.core.state.term?.handover).toBeUndefined();
    // What is left is the end of the drain.
    expect(play.core.nextTick().upper).toBe(2_250);
  });

  it("when its term is over already, a request changes nothing", () => {
    const play = leading();
    play.until(1_250);
    play.end("stopped");
    expect(writtenInto(play, { request: { ...request, verb: "resign" } })).toEqual([]);
  });

  it("when a bid is waited for, hints are followed after 50 ms, else after a tenth of renewMs", () => {
    const play = leading();
    play.until(1_250);
    play.written("own-2");
    play.step({ type: "wake" });
    expect(play.core.nextTick().upper).toBe(1_500);
    play.until(1_500);
    writtenInto(play, { request });
    play.written("own-4");
    play.step({ type: "wake" });
    expect(play.core.nextTick().upper).toBe(1_550);
  });
});

describe("a holder that hands over by itself", () => {
  const resignTo = (to = "b") => ({ type: "end", reason: "resigned", drainMs: 1_000, to }) as const;

  it("when it names a successor, the request goes out with a renewal at once, and the term goes on", () => {
    const play = leading({ node: "me" });
    play.until(100);
    expect(told(play.step(resignTo()))).toEqual([]);
    expect(play.lastWrite).toMatchObject({
      expected: "own-1",
      record: { state: "held", request: { verb: "transfer", by: "me", to: "b" } },
    });
    play.written("own-2");
    play.until(2_600);
    expect(play.lastWrite.record.request).toMatchObject({ to: "b" });
    play.written("own-3");
    // Nobody has answered: it resigns all the same, and without the request.
    play.until(4_599);
    expect(play.told.at(-1)).toBe("extended");
    expect(told(play.until(4_600))).toEqual(["lost resigned"]);
    play.step({ type: "settle" });
    expect(play.lastWrite.record.state).toBe("released");
    expect(play.lastWrite.record.request).toBeUndefined();
  });

  it("when the successor answers, the lease is offered, and the term has resigned", () => {
    const play = leading();
    play.until(100);
    play.step(resignTo());
    const own = play.lastWrite.record.request;
    play.written("own-2");
    if (own === undefined) throw new Error("nothing was asked");
    expect(writtenInto(play, { request: own, bid: { ...bid, requestId: own.id } })).toEqual([
      "lost resigned",
    ]);
    play.step({ type: "settle" });
    expect(play.lastWrite.record).toMatchObject({ state: "offered", offeredTo: "other" });
  });

  it("when a write without the request was under way, the next one carries it", () => {
    const play = leading();
    play.until(1_250);
    expect(play.lastWrite.record.request).toBeUndefined();
    play.step(resignTo());
    play.written("own-2");
    expect(play.lastWrite).toMatchObject({ expected: "own-2", record: { request: { to: "b" } } });
  });

  it("when a transfer is being answered already, whoever bids for that follows; without a bid it resigns all the same", () => {
    const play = leading();
    play.until(1_250);
    writtenInto(play, { request });
    play.written("own-3");
    const due = play.core.state.term?.handover?.untilUpper;
    play.step(resignTo("c"));
    expect(play.core.state.term?.handover).toMatchObject({
      requestId: "r",
      resigning: true,
      untilUpper: due,
    });
    // Another request in its place does not take that back.
    writtenInto(play, { request: { ...request, id: "r2" } });
    expect(play.core.state.term?.handover).toMatchObject({ requestId: "r2", resigning: true });
    const answered = { request: { ...request, id: "r2" }, bid: { ...bid, requestId: "r2" } };
    expect(writtenInto(play, answered, "op-3")).toEqual(["lost resigned"]);
  });

  it("when it says how long its work may take, that holds also when the term ends later, by the answer to its request", () => {
    const play = leading();
    play.until(100);
    play.step({ ...resignTo(), drainMs: 300 });
    play.written("own-2");
    play.until(2_600);
    play.written("own-3");
    play.until(4_600);
    expect(told(play.until(4_899))).toEqual([]);
    expect(told(play.until(4_900))).toEqual(["released left-to-expire"]);
  });

  it("when it stops while a bid is waited for, the end of that wait is none of its term", () => {
    const play = leading();
    play.until(100);
    play.step(resignTo());
    play.written("own-2");
    play.until(200);
    expect(told(play.step({ type: "end", reason: "stopped", drainMs: 60_000 }))).toEqual(["lost stopped"]);
    play.until(205);
    play.written("own-3");
    play.until(2_705);
    play.written("own-4");
    expect(told(play.until(5_000))).toEqual([]);
  });

  it("when it ends without naming anybody, it does not wait", () => {
    const play = leading();
    expect(told(play.end("stopped"))).toEqual(["lost stopped"]);
    expect(play.core.state.term?.handover).toBeUndefined();
  });

  it("when it is told to end once more, that changes nothing", () => {
    const play = leading();
    play.until(100);
    play.end();
    expect(told(play.step({ type: "end", reason: "stopped", drainMs: 50, to: "b" }))).toEqual([]);
    expect(told(play.step({ type: "end", reason: "stopped", drainMs: 50 }))).toEqual([]);
    expect(play.core.state.term?.phase).toBe("draining");
    expect(told(play.until(1_099))).toEqual([]);
    expect(told(play.until(1_100))).toEqual(["released left-to-expire"]);
  });
});

describe("a candidate that is asked to follow", () => {
  const seen = (fields: Partial<LeaseRecord>, config: ConstructorParameters<typeof Play>[0] = {}) => {
    const play = new Play(config);
    play.stand();
    play.read(shown(fields));
    return play;
  };

  it("when anybody may follow, or its node is named, it answers with a bid that changes nothing else", () => {
    for (const asked of [request, { ...request, to: "a" }]) {
      for (const state of ["held", "draining"] as const) {
        const play = seen({ request: asked, state, seq: 7 });
        expect(play.lastWrite).toMatchObject({
          expected: "v7",
          absence: "waited",
          record: { instance: "other", token: 5, seq: 7, ttlMs: 15_000, state, request: asked },
        });
        const { record } = play.lastWrite;
        expect(record.bid).toEqual({ instance: record.writer, node: "a", requestId: "r" });
        expect(record.writer).toBe(play.core.state.race?.instance);
        expect(record.nonce).not.toBe("n7");
      }
    }
  });

  it("when another node is named, another has bid, nobody asks, or the lease is given up, it does not", () => {
    expect(seen({ request: { ...request, to: "c" } }).writes).toEqual([]);
    expect(seen({ request, bid }).writes).toEqual([]);
    expect(seen({}).writes).toEqual([]);
    expect(seen({ request, state: "offered", offeredTo: "third" }).writes).toEqual([]);
    expect(seen({ request, state: "released" }).lastWrite.record.bid).toBeUndefined();
    expect(seen({ request }, { eligible: () => false }).writes).toEqual([]);
  });

  it("when a bid was for an earlier request, it is no answer to this one", () => {
    expect(seen({ request, bid: { ...bid, requestId: "q" } }).lastWrite.record.bid?.requestId).toBe("r");
  });

  it("when it asks once only, it does not", () => {
    const play = new Play();
    play.stand("immediate");
    expect(told(play.read(shown({ request })))).toEqual(["unknown"]);
    expect(play.writes).toEqual([]);
  });

  it("when the holder has been silent for half of its ttl, it is taken over and not answered", () => {
    for (const [ms, count] of [
      [7_499, 1],
      [7_500, 0],
    ] as const) {
      const play = new Play();
      play.stand();
      play.read(shown());
      play.until(5_000);
      play.ms = ms;
      play.read(shown({ request, writer: "op", nonce: "op" }, { version: "op" }));
      expect(play.writes).toHaveLength(count);
    }
  });

  it("when it may not take yet, it does not bid before it may", () => {
    const play = new Play();
    play.lead();
    play.until(100);
    play.leave();
    play.stand("patient", { backOff: true });
    play.read(shown({ request, token: 2_000_000 }));
    play.ms += 374;
    play.step({ type: "tick" });
    expect(play.lastWrite.record.bid).toBeUndefined();
    play.ms += 1;
    play.step({ type: "tick" });
    expect(play.lastWrite.record.bid?.requestId).toBe("r");
  });

  it("when its bid is written, it looks at once and bids no more; it reads what it wrote as what is there", () => {
    const play = seen({ request });
    const { bid: mine } = play.lastWrite.record;
    const effects = play.written("bid");
    expect(effects.map(({ type }) => type)).toContain("read");
    expect(play.core.state.sighting.stored).toMatchObject({ version: "bid", body: { bid: mine } });
    // Also when a renewal of the holder has left it out.
    play.read(shown({ request, seq: 2 }));
    expect(play.writes).toHaveLength(1);
  });

  it("when renewals of the holder come first, it tries five times for one request", () => {
    const play = seen({ request });
    for (let seq = 2; seq <= 8; seq += 1) {
      if (play.core.state.race?.writing !== undefined) play.conflict(shown({ request, seq }));
      else play.read(shown({ request, seq }));
    }
    expect(play.writes).toHaveLength(5);
    play.until(play.core.nextTick().lower);
    play.read(shown({ request: { ...request, id: "r2" }, seq: 9 }));
    expect(play.lastWrite.record.bid?.requestId).toBe("r2");
    expect(play.writes).toHaveLength(6);
  });

  it("when its bid fails, it looks at once; when it has bid, a hint makes it look without a pause", () => {
    const play = seen({ request });
    expect(play.fail().map(({ type }) => type)).toContain("read");
    play.fraction = 1;
    play.read(shown({ request: { ...request, id: "r2" } }));
    play.written("bid");
    play.read(shown({ request: { ...request, id: "r2" }, bid: { ...bid, requestId: "r2" }, seq: 2 }));
    play.ms += 1;
    expect(play.step({ type: "wake" }).map(({ type }) => type)).toContain("read");
  });

  it("when a look from before its bid is answered after it, that look is made again", () => {
    const play = seen({ request });
    play.step({ type: "wake" });
    play.step({ type: "tick" });
    const early = play.core.state.reading;
    expect(early).toBeGreaterThan(play.lastWrite.call);
    play.written("bid");
    const effects = play.read(shown({ request }), early);
    expect(play.core.state.sighting.stored?.version).toBe("bid");
    expect(effects.map(({ type }) => type)).toEqual(["read"]);
  });
});
