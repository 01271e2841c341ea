/** Rule 2: a lease has run out when the record stayed unchanged for its ttl on the candidate's own clock. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { plainCall, rewrite, scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

const ttlMs = 15_000;

async function deadHolder() {
  const world = createVirtualWorld();
  const store = memoryStore();
  const dead = createCandidate(world, "dead", { store });
  const leading = dead.election.campaign();
  await world.advance(1);
  await leading;
  dead.clock.freeze();
  return { world, store };
}

describe("takeover", () => {
  it("when a holder dies, the next leads one ttl after it was first seen, and not before", async () => {
    const { world, store } = await deadHolder();
    const next = createCandidate(world, "next", { store });
    const leading = next.election.campaign();
    await world.advance(ttlMs - 1);
    expect(next.events).toEqual([]);
    await world.advance(102);
    expect((await leading).isCurrent).toBe(true);
  });

  it("when the wall clock of a candidate jumps by an hour either way, it takes over no earlier", async () => {
    for (const jumpMs of [3_600_000, -3_600_000]) {
      const { world, store } = await deadHolder();
      const next = createCandidate(world, "next", { store });
      void next.election.campaign();
      await world.advance(5_000);
      next.clock.jump("wall", jumpMs);
      await world.advance(ttlMs - 5_001);
      expect(next.events).toEqual([]);
      await world.advance(102);
      expect(next.events).toHaveLength(1);
    }
  });

  it("when it is stopped as its takeover is due, it sends none", async () => {
    const { world, store } = await deadHolder();
    let sent = 0;
    const watched: Store = {
      ...store,
      write(...call) {
        sent += 1;
        return store.write(...call);
      },
    };
    const next = createCandidate(world, "next", { store: watched });
    next.election.campaign().catch(() => {});
    await world.advance(ttlMs - 1);
    // Due, and its timer has not fired yet.
    world.skip(1_000);
    const stopping = next.election.stop();
    await world.advance(5_000);
    await stopping;
    expect(sent).toBe(0);
  });

  it("when a follower's boot clock lags behind its monotonic one, the smaller of the two counts", async () => {
    const { world, store } = await deadHolder();
    const next = createCandidate(world, "next", { store });
    void next.election.campaign();
    next.clock.setRate("boot", 0.5);
    next.clock.setRate("wall", 0.5);
    await world.advance(ttlMs * 2 - 200);
    expect(next.events).toEqual([]);
    await world.advance(600);
    expect(next.events).toHaveLength(1);
  });

  it("when a follower's machine sleeps, the sleep counts for nothing", async () => {
    const { world, store } = await deadHolder();
    const next = createCandidate(world, "next", { store });
    void next.election.campaign();
    await world.advance(5_000);
    next.clock.suspend();
    await world.advance(60_000);
    next.clock.wake();
    await world.advance(9_900);
    expect(next.events).toEqual([]);
    await world.advance(300);
    expect(next.events).toHaveLength(1);
  });

  it("when somebody writes a request into a dead holder's record, the clock against it goes on", async () => {
    const { world, store } = await deadHolder();
    const next = createCandidate(world, "next", { store });
    void next.election.campaign();
    await world.advance(14_000);
    const request = { id: "r1", verb: "resign", by: "operator" } as const;
    await rewrite(store, (record) => ({ ...record, writer: "operator", nonce: "n-operator", request }));
    await world.advance(1_200);
    expect(next.events).toHaveLength(1);
  });

  it("when the store's epoch changes under an observation, the observation starts again", async () => {
    const { world, store } = await deadHolder();
    const next = createCandidate(world, "next", {
      store: { ...store, read: readAs(() => epoch), write: writeAs() },
    });
    let epoch = "run-1";
    function readAs(name: () => string): typeof store.read {
      return async (key, call) => {
        const value = await store.read(key, call);
        return value && { ...value, epoch: name() };
      };
    }
    function writeAs(): typeof store.write {
      return store.write.bind(store);
    }
    void next.election.campaign();
    await world.advance(14_000);
    epoch = "run-2";
    await world.advance(14_000);
    expect(next.events).toEqual([]);
    await world.advance(2_600);
    expect(next.events).toHaveLength(1);
  });

  it("when the record's ttl is longer than the candidate's own, the record's counts", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const dead = createCandidate(world, "dead", { store, ttlMs: 12_000 });
    void dead.election.campaign();
    await world.advance(1);
    dead.clock.freeze();
    const next = createCandidate(world, "next", { store, ttlMs: 3_000 });
    void next.election.campaign();
    await world.advance(11_999);
    expect(next.events).toEqual([]);
    await world.advance(200);
    expect(next.events).toHaveLength(1);
  });
});

describe("one try", () => {
  it("when the holder lives, answers held only after its seq rose", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const holder = createCandidate(world, "holder", { store, metadata: { url: "http://h" } });
    void holder.election.campaign();
    await world.advance(20_000);
    const before = await stored(store);
    const trying = createCandidate(world, "late", { store }).election.tryCampaign();
    let answeredAt: number | undefined;
    void trying.then(() => {
      answeredAt = world.nowMs;
    });
    const startedAt = world.nowMs;
    await until(world, () => answeredAt !== undefined, 20_000);
    const after = await stored(store);
    expect(after.seq).toBeGreaterThan(before.seq);
    expect((answeredAt ?? 0) - startedAt).toBeLessThan(2_500 + 400);
    expect(await trying).toEqual({
      kind: "held",
      by: { node: "holder", token: before.token, metadata: { url: "http://h" } },
    });
  });

  it("when the holder renewed and died since the last try, the next try does not take that for life", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const holder = createCandidate(world, "holder", { store });
    void holder.election.campaign();
    await world.advance(20_000);
    const late = createCandidate(world, "late", { store });
    const first = late.election.tryCampaign();
    await world.advance(5_000);
    expect((await first).kind).toBe("held");
    await world.advance(10_000);
    holder.clock.freeze();
    await world.advance(5_000);
    const second = late.election.tryCampaign();
    await world.advance(16_000);
    expect((await second).kind).toBe("elected");
  });

  it("when a look from before the try is answered in it, a renewal between the two is no life", async () => {
    const world = createVirtualWorld();
    const memory = memoryStore();
    const holder = createCandidate(world, "holder", { store: memory });
    const leading = holder.election.campaign();
    const store = scripted(memory, world.createClock());
    const watcher = createCandidate(world, "watcher", { store });
    watcher.election.observe();
    await world.advance(10_000);
    store.fate = () => ({ replyAfterMs: 1_500 });
    const reads = store.reads;
    await until(world, () => store.reads > reads, 5_000, 1);
    void (await leading).ensure(9_999);
    await world.advance(1);
    holder.clock.freeze();
    store.fate = () => "normal";
    const trying = watcher.election.tryCampaign();
    await world.advance(20_000);
    expect((await trying).kind).toBe("elected");
  });

  it("when the holder is dead and only single tries come, one of them leads within ttl + 1 s of the first", async () => {
    const { world, store } = await deadHolder();
    const first = createCandidate(world, "once", { store }).election.tryCampaign();
    await world.advance(ttlMs + 1_000);
    expect((await first).kind).toBe("elected");
  });

  it("when immediate, answers unknown to a held record and takes a released one", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const holder = createCandidate(world, "holder", { store });
    const leading = holder.election.campaign();
    await world.advance(10);
    const other = createCandidate(world, "other", { store });
    const first = other.election.tryCampaign({ immediate: true });
    await world.advance(10);
    expect(await first).toEqual({ kind: "unknown" });
    await (await leading).resign();
    const second = other.election.tryCampaign({ immediate: true });
    await world.advance(10);
    expect((await second).kind).toBe("elected");
  });

  it("when the holder drains, waits the drain out and leads after it", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const holder = createCandidate(world, "holder", { store });
    let finish: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const running = holder.election.run(() => working);
    await world.advance(10);
    const stopping = holder.election.stop({ drainMs: 60_000 });
    await world.advance(100);
    expect((await stored(store)).state).toBe("draining");
    const trying = createCandidate(world, "once", { store }).election.tryCampaign();
    await world.advance(30_000);
    finish();
    await world.advance(500);
    expect((await trying).kind).toBe("elected");
    await Promise.all([running, stopping]);
  });

  it("when the store does not answer, rejects with its error instead of waiting for ever", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore(), world.createClock());
    store.fate = () => "hang";
    const trying = createCandidate(world, "once", { store }).election.tryCampaign();
    const outcome = expect(trying).rejects.toMatchObject({ code: "STORE_TIMEOUT", outcome: "unknown" });
    await world.advance(6_000);
    await outcome;
  });
});

describe("rhythm", () => {
  it("when a leader renews, followers see each renewal within an eighth of its period, at less than two looks", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const holder = createCandidate(world, "holder", { store: inner });
    void holder.election.campaign();
    await world.advance(1);
    const counting = scripted(inner, world.createClock(), { watch: () => {} });
    const follower = createCandidate(world, "follower", { store: counting });
    void follower.election.campaign();
    await world.advance(60_000);
    const readsBefore = counting.reads;
    const renewals = (await stored(inner)).seq;
    await world.advance(120_000);
    const renewed = (await stored(inner)).seq - renewals;
    expect((counting.reads - readsBefore) / renewed).toBeLessThan(2);
    // Freeze right after a renewal landed: the next leader comes within ttl + an eighth of the period + the spread.
    const seq = (await stored(inner)).seq;
    await until(world, async () => (await stored(inner)).seq > seq, 5_000, 5);
    holder.clock.freeze();
    await world.advance(ttlMs + 2_500 / 8 + 101);
    expect(follower.events).toHaveLength(1);
    expect(await inner.read("default/job", plainCall)).toMatchObject({ body: { node: "follower" } });
  });
});
