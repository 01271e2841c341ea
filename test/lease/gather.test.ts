/** Rule 11: calls of one turn to one store object go out together. */

import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/base/clock.js";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { buildElection } from "../../src/election/election.js";
import { gather } from "../../src/lease/gather.js";
import { lease } from "../../src/lease/lease.js";
import type { Call } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { sampleRecord } from "../../src/testkit/steps.js";
import { batchingStore } from "../support/batching-store.js";
import { plainCall } from "../support/scripted-store.js";
import { countingChance, createCandidate } from "../support/virtual.js";

const callWith = (signal: AbortSignal): Call => ({ ...plainCall, signal });
const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

describe("gathered calls", () => {
  it("when a store offers no batches, it is used as it is", () => {
    const store = memoryStore();
    expect(gather(store)).toBe(store);
  });

  it("when calls come in one turn, they go out together, at most 64 at once, each with its own answer", async () => {
    const store = batchingStore();
    const calls = gather(store);
    const writes = keys(150).map(async (key) =>
      calls.write(key, sampleRecord({ node: key }), undefined, plainCall),
    );
    expect((await Promise.all(writes)).map(({ kind }) => kind)).toEqual(keys(150).map(() => "written"));
    expect(store.counts).toMatchObject({ batches: 3, items: 150, largest: 64, singleWrites: 0 });
    const reads = await Promise.all(keys(150).map(async (key) => calls.read(key, plainCall)));
    expect(reads.map((stored) => typeof stored?.body === "object" && stored.body.node)).toEqual(keys(150));
    expect(await calls.read("absent", plainCall)).toBeUndefined();
    expect(store.counts).toMatchObject({ batches: 6, singleReads: 1 });
  });

  it("when two elections share a store object, their calls meet; two objects do not", () => {
    const [store, other] = [batchingStore(), batchingStore()];
    expect(gather(store)).toBe(gather(store));
    expect(gather(other)).not.toBe(gather(store));
  });

  it("when one item fails, it rejects with its own cause and the others are answered", async () => {
    const inner = memoryStore();
    const store = batchingStore({
      ...inner,
      read: async (key, call) => {
        if (key === "key-1") throw new Error("this one");
        return inner.read(key, call);
      },
    });
    const calls = gather(store);
    const settled = await Promise.allSettled(keys(3).map(async (key) => calls.read(key, plainCall)));
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(settled[1]).toMatchObject({ reason: new Error("this one") });
  });

  it("when the exchange fails, or answers too few, every item without an answer is unknown", async () => {
    const store = batchingStore();
    const broken = { ...store, readMany: async () => Promise.reject(new Error("reset")) };
    const few = { ...store, readMany: async () => [{ stored: undefined }] };
    const reasons = async (calls: ReturnType<typeof gather>) =>
      (await Promise.allSettled(keys(2).map(async (key) => calls.read(key, plainCall)))).map((result) =>
        result.status === "rejected" ? String(result.reason) : "answered",
      );
    expect(await reasons(gather(broken))).toEqual(["Error: reset", "Error: reset"]);
    expect(await reasons(gather(few))).toEqual([
      "answered",
      "Error: the store answered fewer calls than it was sent",
    ]);
  });

  it("when a call is aborted before it goes out, it is not sent and rejects with the reason", async () => {
    const store = batchingStore();
    const calls = gather(store);
    const leaving = new AbortController();
    const settled = Promise.allSettled([
      calls.read("key-0", callWith(leaving.signal)),
      calls.read("key-1", plainCall),
      calls.read("key-2", plainCall),
    ]);
    leaving.abort(new Error("no longer wanted"));
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect((await settled)[0]).toMatchObject({ reason: new Error("no longer wanted") });
    expect(store.counts).toMatchObject({ batches: 1, items: 2 });
  });

  it("when a driver throws before it answers, the calls reject and later ones go out as ever", async () => {
    const store = batchingStore();
    let throws = true;
    const careless = {
      ...store,
      readMany: (...call: Parameters<typeof store.readMany>) => {
        if (throws) throw new Error("careless");
        return store.readMany(...call);
      },
    };
    const calls = gather(careless);
    const both = async () => Promise.allSettled(keys(2).map(async (key) => calls.read(key, plainCall)));
    expect((await both()).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    throws = false;
    expect((await both()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  });
});

describe("many held elections", () => {
  it("when 1,000 of one process renew together, each round takes some 1000/64 exchanges", async () => {
    const world = createVirtualWorld();
    const store = batchingStore();
    const clock = world.createClock();
    // As on the real clock: timers of a second and more share the steps in which they fire.
    const shared = inSteps(clock, 2_500);
    for (let index = 0; index < 1_000; index += 1) {
      const election = buildElection(
        lease({ store }),
        { name: `job-${index}`, node: "a" },
        { clock: shared, chance: countingChance(`c${index}`) },
      );
      void election.campaign();
    }
    await world.advance(5_000);
    const before = { ...store.counts };
    await world.advance(25_000);
    const [batches, items] = [store.counts.batches - before.batches, store.counts.items - before.items];
    expect(items).toBeGreaterThanOrEqual(9 * 1_000);
    expect(store.counts.singleWrites - before.singleWrites).toBe(0);
    expect(batches).toBeLessThanOrEqual(Math.ceil(items / 64) + 11);
  });

  it("when a batch hangs, each election times out by itself and renews again", async () => {
    const world = createVirtualWorld();
    const store = batchingStore();
    let hangs = false;
    const hanging = {
      ...store,
      writeMany: async (...call: Parameters<typeof store.writeMany>) =>
        hangs ? new Promise<never>(() => {}) : store.writeMany(...call),
    };
    const candidates = ["a", "b", "c"].map((name) => createCandidate(world, name, { store: hanging, name }));
    for (const { election } of candidates) void election.campaign();
    await world.advance(3_000);
    hangs = true;
    await world.advance(4_000);
    hangs = false;
    await world.advance(10_000);
    for (const { events } of candidates) expect(events.slice(1)).toEqual([]);
    expect(candidates.every(({ election }) => election.leadership !== undefined)).toBe(true);
  });
});

/** Timers fire at whole multiples of `stepMs`, all of one step in one callback. */
function inSteps(clock: Clock, stepMs: number): Clock {
  const steps = new Map<number, Set<() => void>>();
  return {
    ...clock,
    resolution: clock.resolution,
    bootId: clock.bootId,
    monotonicMs: () => clock.monotonicMs(),
    bootMs: () => clock.bootMs(),
    wallMs: () => clock.wallMs(),
    hrtimeNs: () => clock.hrtimeNs(),
    setTimer(delayMs, callback) {
      if (delayMs < 1_000) return clock.setTimer(delayMs, callback);
      const dueMs = Math.ceil((clock.monotonicMs() + delayMs) / stepMs) * stepMs;
      let step = steps.get(dueMs);
      if (step === undefined) {
        const due = new Set<() => void>();
        step = due;
        steps.set(dueMs, due);
        clock.setTimer(dueMs - clock.monotonicMs(), () => {
          steps.delete(dueMs);
          for (const fire of due) fire();
        });
      }
      const mine = step;
      const fire = () => callback();
      mine.add(fire);
      return { cancel: () => void mine.delete(fire) };
    },
  };
}
