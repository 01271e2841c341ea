/** Rule 2 by the store's clock: where the holder chose so, a candidate need not watch a dead record for a ttl. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualWorld } from "../../src/base/virtual-clock.js";
import { lease, type LeaseOptions } from "../../src/lease/lease.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { clockedStore } from "../support/clocked-store.js";
import { plainCall, rewrite, type Seen, scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

const ttlMs = 15_000;
const byStoreClock = { expiry: "store-clock" } as const;

function opened() {
  const world = createVirtualWorld();
  const storeClock = world.createClock();
  return { world, storeClock, store: clockedStore(storeClock) };
}

/** Leads, and stands still after so long. */
async function dies(world: VirtualWorld, options: LeaseOptions, afterMs = 1): Promise<void> {
  const holder = createCandidate(world, "dead", options);
  const leading = holder.election.campaign();
  await world.advance(afterMs);
  await leading;
  holder.clock.freeze();
}

/** Warnings by code. */
function listening() {
  const codes: string[] = [];
  const warn = (fields: object) => void codes.push(String(new Map(Object.entries(fields)).get("code")));
  return { codes, logger: { debug() {}, info() {}, warn, error() {} } };
}

describe("expiry by the store's clock", () => {
  it("when the holder has been dead for a ttl, whoever tries once takes its lease at the first look", async () => {
    for (const immediate of [false, true]) {
      const { world, store } = opened();
      await dies(world, { store, ...byStoreClock });
      await world.advance(ttlMs + 200);
      const { election } = createCandidate(world, "once", { store, ...byStoreClock });
      const trying = election.tryCampaign({ immediate });
      await world.advance(5);
      expect((await trying).kind).toBe("elected");
    }
  });

  it("when the record says so, a candidate that observes itself is judged by the store's clock as well", async () => {
    const { world, store } = opened();
    await dies(world, { store, ...byStoreClock }, 20_000);
    await world.advance(10_000);
    const next = createCandidate(world, "next", { store });
    void next.election.campaign();
    await world.advance(2_000);
    expect(next.events).toEqual([]);
    await world.advance(4_000);
    expect(next.events).toHaveLength(1);
    expect((await stored(store)).expiry).toBe("observed");
  });

  it("when the holder renews, its age never reaches the ttl and nobody tries", async () => {
    const { world, store } = opened();
    const holder = createCandidate(world, "holder", { store, ...byStoreClock });
    void holder.election.campaign();
    await world.advance(10);
    const wire = scripted(store, world.createClock());
    const next = createCandidate(world, "next", { store: wire, ...byStoreClock });
    void next.election.campaign();
    await world.advance(300_000);
    expect(wire.writes).toEqual([]);
    expect(holder.events).toHaveLength(1);
  });

  it("when the record is observed, the store's clock is asked nothing, whatever the candidate chose", async () => {
    const { world, store, storeClock } = opened();
    await dies(world, { store });
    storeClock.jump("wall", 3_600_000);
    const { codes, logger } = listening();
    const next = createCandidate(world, "next", { store, logger, ...byStoreClock });
    void next.election.campaign();
    await world.advance(ttlMs - 100);
    expect(next.events).toEqual([]);
    expect(codes).toEqual(["MODE_MISMATCH"]);
    await world.advance(300);
    expect(next.events).toHaveLength(1);
  });

  it("when the store gives no age, or does not judge, a store-clock record is observed and the log says so", async () => {
    const withAge: Partial<Store> = { capabilities: { ...memoryStore().capabilities, storeClock: false } };
    for (const change of [{}, withAge]) {
      const { world, store } = opened();
      await dies(world, { store, ...byStoreClock });
      await world.advance(60_000);
      const blind = scripted(store, world.createClock(), change);
      const read = blind.read.bind(blind);
      if (change !== withAge) {
        blind.read = async (...call) => {
          const { ageMs: _, ...shown } = (await read(...call)) ?? { version: "", epoch: "", body: "newer" };
          return shown;
        };
      }
      const { codes, logger } = listening();
      const next = createCandidate(world, "next", { store: blind, logger });
      void next.election.campaign();
      await world.advance(ttlMs - 1);
      expect(next.events).toEqual([]);
      expect(codes).toEqual(["MODE_MISMATCH"]);
      await world.advance(300);
      expect(next.events).toHaveLength(1);
    }
  });

  it("when everything fits, nobody is warned", async () => {
    const { world, store } = opened();
    const { codes, logger } = listening();
    await dies(world, { store, ...byStoreClock });
    const next = createCandidate(world, "next", { store, logger, ...byStoreClock });
    void next.election.campaign();
    await world.advance(30_000);
    expect(next.events).toHaveLength(1);
    expect(codes).toEqual([]);
  });

  it("when the store finds the record too young again and again, tries are few and what was observed counts", async () => {
    const { world, store } = opened();
    await dies(world, { store, ...byStoreClock });
    // Its ages say one thing, its judgement another.
    const wire = scripted(store, world.createClock(), {});
    const read = wire.read.bind(wire);
    wire.read = async (...call) => {
      const shown = await read(...call);
      return shown && { ...shown, ageMs: 3_600_000 };
    };
    const takeovers: string[] = [];
    const write = wire.write.bind(wire);
    wire.write = async (key, record, expected, call) => {
      takeovers.push(call.takeover);
      if (call.takeover === "observed") return write(key, record, expected, call);
      const current = await wire.read(key, call);
      return { kind: "conflict", current };
    };
    const next = createCandidate(world, "next", { store: wire });
    void next.election.campaign();
    await world.advance(ttlMs - 100);
    expect(next.events).toEqual([]);
    expect(takeovers.length).toBeLessThan(20);
    await world.advance(3_000);
    expect(next.events).toHaveLength(1);
    expect(takeovers).toContain("observed");
  });

  it("when the store's clock steps back, what was observed is taken one ttl after it was first seen", async () => {
    const { world, store, storeClock } = opened();
    await dies(world, { store, ...byStoreClock });
    const next = createCandidate(world, "next", { store, ...byStoreClock });
    void next.election.campaign();
    await world.advance(5_000);
    storeClock.jump("wall", -30_000);
    await world.advance(ttlMs - 5_000 + 101);
    expect(next.events).toHaveLength(1);
  });

  it("when the store's clock runs at double speed, a dead leader is followed in half the time", async () => {
    const { world, store, storeClock } = opened();
    storeClock.setRate("wall", 2);
    await dies(world, { store, ...byStoreClock });
    const next = createCandidate(world, "next", { store, ...byStoreClock });
    void next.election.campaign();
    const startedAt = world.nowMs;
    await until(world, () => next.events.length > 0, ttlMs);
    expect(world.nowMs - startedAt).toBeGreaterThan(ttlMs / 2 - 10);
    // Ages are read now and then, and what passes since the last look counts once.
    expect(world.nowMs - startedAt).toBeLessThan(ttlMs * 0.8);
  });

  it("when a dead holder's record carries a request, a candidate neither answers it nor resets its age", async () => {
    const { world, store } = opened();
    await dies(world, { store, ...byStoreClock });
    const request = { id: "r1", verb: "transfer", by: "operator" } as const;
    await rewrite(store, (record) => ({ ...record, writer: "operator", nonce: "n-operator", request }));
    await world.advance(ttlMs + 200);
    const wire = scripted(store, world.createClock());
    const next = createCandidate(world, "next", { store: wire, ...byStoreClock });
    void next.election.campaign();
    await world.advance(5);
    expect(next.events).toHaveLength(1);
    expect(wire.writes.map(({ bid }) => bid)).toEqual([undefined]);
  });

  it("when a holder is dead by the store's clock, observers do not call it the leader", async () => {
    const { world, store } = opened();
    await dies(world, { store, ...byStoreClock });
    const observer = createCandidate(world, "observer", { store });
    observer.election.observe();
    await world.advance(100);
    expect(observer.election.status.leader.kind).toBe("held");
    await world.advance(ttlMs);
    expect(observer.election.status.leader.kind).toBe("unknown");
    const late = createCandidate(world, "late", { store });
    late.election.observe();
    await world.advance(10);
    expect(late.election.status.leader.kind).toBe("unknown");
  });
});

describe("a takeover by the store's clock", () => {
  it("when it is given up while unanswered, its undo is judged by the store's clock too", async () => {
    const { world, store } = opened();
    await dies(world, { store, ...byStoreClock });
    await world.advance(ttlMs + 200);
    const wire = scripted(store, world.createClock());
    const calls: [state: string, takeover: string][] = [];
    const write = wire.write.bind(wire);
    wire.write = async (key, record, expected, call) => {
      calls.push([record.state, call.takeover]);
      return write(key, record, expected, call);
    };
    wire.fate = ({ kind, count }: Seen) => (kind === "write" && count === 1 ? "hang" : "normal");
    const candidate = createCandidate(world, "next", { store: wire, ...byStoreClock });
    const leaving = new AbortController();
    const campaign = candidate.election.campaign({ signal: leaving.signal });
    campaign.catch(() => {});
    await world.advance(5);
    leaving.abort(new Error("enough"));
    await world.advance(3_000);
    await expect(campaign).rejects.toThrow("enough");
    expect(calls).toEqual([
      ["held", "store-clock"],
      ["released", "store-clock"],
    ]);
  });

  it("when a try before it is unanswered and this one is too young, the first may still be found in force", async () => {
    const { world, store, storeClock } = opened();
    await dies(world, { store, ...byStoreClock });
    await world.advance(ttlMs + 200);
    const wire = scripted(store, world.createClock());
    wire.fate = ({ kind, count }: Seen) =>
      kind === "write" && count === 1 ? { executeAfterMs: 4_000 } : "normal";
    const candidate = createCandidate(world, "next", { store: wire, ...byStoreClock });
    void candidate.election.campaign();
    await world.advance(5);
    storeClock.jump("wall", -1_000);
    // The second try, after the timeout of the first, comes to a clock that has stepped back once more.
    await world.advance(1_990);
    storeClock.jump("wall", -5_000);
    await world.advance(2_004);
    expect(wire.writes).toHaveLength(2);
    storeClock.jump("wall", 5_000);
    await world.advance(2_500);
    expect(candidate.events).toEqual([`elected ${wire.writes[0]?.token}`]);
  });
});

describe("the choice", () => {
  it("when a holder chose, every write of its term says so", async () => {
    const { world, store } = opened();
    const wire = scripted(store, world.createClock());
    const holder = createCandidate(world, "holder", { store: wire, ...byStoreClock });
    const leading = holder.election.campaign();
    await world.advance(20_000);
    await (await leading).resign();
    const written = new Set(wire.writes.map(({ expiry, state }: LeaseRecord) => `${expiry} ${state}`));
    expect([...written]).toEqual(["store-clock held", "store-clock released"]);
  });

  it("when it is store-clock, belief is advisory with the reason, and the budget names the assumption", () => {
    const { world, store } = opened();
    const { election } = createCandidate(world, "a", { store, ...byStoreClock });
    expect(election.status.belief).toBe("advisory");
    expect(election.status.reasons).toEqual([expect.stringContaining("store's clock")]);
    expect(election.budget.assumptions).toEqual(
      expect.arrayContaining([expect.stringContaining("store's clock")]),
    );
    const observing = createCandidate(world, "b", { store }).election;
    expect(observing.status.belief).toBe("exclusive");
    expect(observing.budget.assumptions.join()).not.toContain("store's clock");
  });

  it("when the store does not judge by a clock, or the value is another, it is refused by name", () => {
    expect(() => lease({ store: memoryStore(), ...byStoreClock })).toThrow(
      'expiry must be "observed": the memory store does not judge by a clock of its own, got "store-clock"',
    );
    const wrong: unknown = "wall-clock";
    expect(() => lease({ store: memoryStore(), expiry: wrong as "observed" })).toThrow(
      'expiry must be "observed" or "store-clock", got "wall-clock"',
    );
    expect(plainCall.takeover).toBe("observed");
  });
});
