/** Rule 8: how terms end, in which order, and what is written. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Leadership } from "../../src/election/api.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted, stored } from "../support/scripted-store.js";
import { createCandidate } from "../support/virtual.js";

interface Work {
  readonly promise: Promise<void>;
  readonly finish: () => void;
}

function openWork(): Work {
  let finish: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { promise, finish };
}

async function working(drainMs = 10_000) {
  const world = createVirtualWorld();
  const inner = memoryStore();
  const store = scripted(inner, world.createClock());
  const candidate = createCandidate(world, "a", { store, drainMs });
  const works: Work[] = [];
  const terms: Leadership[] = [];
  const running = candidate.election.run((leadership) => {
    terms.push(leadership);
    const work = openWork();
    works.push(work);
    return work.promise;
  });
  await world.advance(5_000);
  const [term] = terms;
  const [work] = works;
  if (term === undefined || work === undefined) throw new Error("not elected");
  return { world, inner, store, candidate, running, works, terms, term, work };
}

describe("a wanted end", () => {
  it("when stopped, belief goes first, then signal and lost, then the drain is renewed, then the release", async () => {
    const { world, inner, candidate, running, term, work } = await working();
    const order: string[] = [];
    term.signal.addEventListener("abort", () => order.push(`abort current=${term.isCurrent}`));
    candidate.election.on("lost", () => order.push("lost"));
    candidate.election.on("released", ({ outcome }) => order.push(`released ${outcome}`));
    const stopping = candidate.election.stop();
    expect(order).toEqual(["abort current=false", "lost"]);
    await world.advance(4_000);
    const draining = await stored(inner);
    expect(draining.state).toBe("draining");
    await world.advance(4_000);
    expect((await stored(inner)).seq).toBeGreaterThan(draining.seq);
    work.finish();
    await world.advance(1);
    await Promise.all([stopping, running]);
    expect(order.at(-1)).toBe("released released");
    expect((await stored(inner)).state).toBe("released");
  });

  it("when the work has returned, there is no draining write, only the release", async () => {
    const { world, store, candidate, work } = await working();
    const before = store.writes.length;
    work.finish();
    await world.advance(1);
    expect(store.writes.slice(before).map(({ state }) => state)).toEqual(["released"]);
    expect(candidate.events.slice(1, 3)).toEqual(["lost finished", "released released"]);
  });

  it("when the work overruns the drain, renewals stop, nothing is released, and stop() is over at drainMs", async () => {
    const { world, inner, store, candidate, work } = await working(3_000);
    const stopping = candidate.election.stop();
    let stoppedAt: number | undefined;
    void stopping.then(() => {
      stoppedAt = world.nowMs;
    });
    const startedAt = world.nowMs;
    await world.advance(3_010);
    expect(stoppedAt).toBe(startedAt + 3_000);
    expect(candidate.events.at(-1)).toBe("released left-to-expire");
    expect((await stored(inner)).state).toBe("draining");
    const writes = store.writes.length;
    await world.advance(60_000);
    expect(store.writes).toHaveLength(writes);
    // Too late to give anything back: others count on the ttl already.
    work.finish();
    await world.advance(1_000);
    expect(store.writes).toHaveLength(writes);
  });

  it("when the work overruns and settles while the election lives, nothing of the old term is released either", async () => {
    const { world, inner, store, term, work } = await working(3_000);
    const resigning = term.resign();
    await world.advance(3_500);
    await resigning;
    const before = await stored(inner);
    expect(before.state).toBe("draining");
    work.finish();
    await world.advance(1_000);
    expect(await stored(inner)).toEqual(before);
    expect(store.writes.some(({ state }) => state === "released")).toBe(false);
  });

  it("when the store is gone, stop() still resolves within its limit", async () => {
    const { world, store, candidate, work } = await working(10_000);
    store.fate = () => "hang";
    const stopping = candidate.election.stop();
    work.finish();
    await world.advance(10_000);
    await stopping;
    expect(candidate.events.at(-1)).toBe("released left-to-expire");
  });

  it("when resign is called inside run, it resolves with the end of the term and the work can return", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const candidate = createCandidate(world, "a", { store });
    const done: string[] = [];
    const once = candidate.election.runOnce(async (leadership) => {
      await leadership.resign();
      done.push(await leadership.ended);
      return 42;
    });
    await world.advance(100);
    expect(await once).toBe(42);
    expect(done).toEqual(["resigned"]);
    expect((await stored(store)).state).toBe("released");
  });
});

describe("an unwanted end", () => {
  it("when the deadline passes, nothing is renewed or released while the work runs, then it is given back", async () => {
    const { world, inner, store, candidate, work } = await working(60_000);
    store.fate = () => "hang";
    await world.advance(10_001);
    expect(candidate.events.at(-1)).toBe("lost deadline");
    store.fate = () => "normal";
    const writes = store.writes.length;
    await world.advance(10_000);
    expect(store.writes).toHaveLength(writes);
    expect((await stored(inner)).state).toBe("held");
    work.finish();
    await world.advance(1);
    expect(store.writes[writes]?.state).toBe("released");
  });

  it("when a renewal succeeds after the deadline, the term stays over and the ghost is not released early", async () => {
    const { world, inner, store, candidate, term } = await working(60_000);
    store.fate = ({ kind }) => (kind === "write" ? { executeAfterMs: 11_000 } : "normal");
    await world.advance(10_001);
    expect(candidate.events.at(-1)).toBe("lost deadline");
    await world.advance(5_000);
    expect(term.isCurrent).toBe(false);
    expect((await stored(inner)).state).toBe("held");
  });

  it("when the work never settles, this node does not stand again, and another one leads", async () => {
    const { world, inner, store, candidate, terms } = await working(5_000);
    store.fate = () => "hang";
    await world.advance(10_001);
    store.fate = () => "normal";
    const other = createCandidate(world, "b", { store: inner });
    void other.election.campaign();
    await world.advance(60_000);
    expect(terms).toHaveLength(1);
    expect(candidate.election.status.state).toBe("settling");
    expect(other.events).toHaveLength(1);
    expect(candidate.events.at(-1)).toBe("released left-to-expire");
  });
});

describe("a node with work of an old term", () => {
  it("when a leader by campaign() has lost and not resigned, its next campaign waits until it has", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore(), world.createClock());
    const candidate = createCandidate(world, "a", { store, drainMs: 1_000 });
    const leading = candidate.election.campaign();
    await world.advance(10);
    const leadership = await leading;
    store.fate = () => "hang";
    await world.advance(12_000);
    store.fate = () => "normal";
    expect(candidate.events.at(-1)).toBe("released left-to-expire");
    const again = candidate.election.campaign();
    await world.advance(60_000);
    expect(candidate.election.leadership).toBeUndefined();
    await leadership.resign();
    await world.advance(20_000);
    expect((await again).isCurrent).toBe(true);
  });

  it("when resign() of a term that is over is called again, the term that follows goes on", async () => {
    const world = createVirtualWorld();
    const candidate = createCandidate(world, "a", { store: memoryStore() });
    const first = candidate.election.campaign();
    await world.advance(10);
    const over = await first;
    await over.resign();
    const second = candidate.election.campaign();
    await world.advance(1_000);
    const following = await second;
    await over.resign();
    await over[Symbol.asyncDispose]();
    await world.advance(1_000);
    expect(following.isCurrent).toBe(true);
  });
});

describe("candidate for life", () => {
  it("when the work settles after a loss, the node stands again with a higher token", async () => {
    const { world, store, terms, work } = await working();
    store.fate = () => "hang";
    await world.advance(10_001);
    store.fate = () => "normal";
    work.finish();
    await world.advance(20_000);
    expect(terms).toHaveLength(2);
    expect(terms[1]?.token).toBeGreaterThan(terms[0]?.token ?? Number.POSITIVE_INFINITY);
    expect(terms[1]?.fence.owner).not.toBe(terms[0]?.fence.owner);
  });

  it("when the work fails at once on every node, terms come at growing pauses and not in a hot loop", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const nodes = ["a", "b"].map((node) => createCandidate(world, node, { store }));
    for (const { election } of nodes) void election.run(() => Promise.reject(new Error("broken")));
    await world.advance(60_000);
    const terms = nodes.flatMap(({ events }) => events).filter((event) => event.startsWith("elected"));
    expect(terms.length).toBeGreaterThan(4);
    expect(terms.length).toBeLessThan(40);
    const failures = nodes.flatMap(({ events }) => events).filter((event) => event === "workFailed");
    expect(failures).toHaveLength(terms.length);
  });

  it("when the work throws with onError throw, run rejects with that error after the release", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const { election } = createCandidate(world, "a", { store });
    const running = expect(
      election.run(() => Promise.reject(new Error("broken")), { onError: "throw" }),
    ).rejects.toThrow("broken");
    await world.advance(100);
    await running;
    expect((await stored(store)).state).toBe("released");
  });

  it("when the work only reports the loss, that is no failure", async () => {
    const { world, store, candidate, terms } = await working();
    candidate.election.on("lost", () => {});
    store.fate = () => "hang";
    await world.advance(10_001);
    expect(() => terms[0]?.check()).toThrow(expect.objectContaining({ code: "LEADERSHIP_LOST" }));
    expect(candidate.events).not.toContain("workFailed");
  });

  it("when the work returns at once three times, one warning explains it", async () => {
    const world = createVirtualWorld();
    const warnings: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, message: string) => warnings.push(message),
    };
    const { election } = createCandidate(world, "a", { store: memoryStore(), logger });
    void election.run(async () => {});
    await world.advance(120_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("returned at once 3 times");
  });

  it("when maxTermMs passes, the leader resigns", async () => {
    const world = createVirtualWorld();
    const candidate = createCandidate(world, "a", { store: memoryStore() });
    void candidate.election.run(async (leadership) => void (await leadership.ended), { maxTermMs: 30_000 });
    await world.advance(30_100);
    expect(candidate.events.slice(1, 3)).toEqual(["lost max-term", "released released"]);
  });

  it("when a resource has seen a higher token, the next term exceeds it, at most once per ttl", async () => {
    const world = createVirtualWorld();
    const candidate = createCandidate(world, "a", { store: memoryStore() });
    const tokens: number[] = [];
    const at: number[] = [];
    const far = 1_700_000_000_000 + 10_000_000;
    void candidate.election.run(async (leadership) => {
      tokens.push(leadership.token);
      at.push(world.nowMs);
      if (tokens.length <= 3) leadership.outpaced(far * tokens.length);
      await leadership.ended;
    });
    await world.advance(60_000);
    expect(tokens.slice(1)).toEqual([far + 1, far * 2 + 1, far * 3 + 1]);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBeGreaterThanOrEqual(15_000);
    expect(candidate.events).toContain("lost outpaced");
  });

  it("when the deadline turns out to have passed in the very call of outpaced, the watermark still counts", async () => {
    const world = createVirtualWorld();
    const candidate = createCandidate(world, "a", { store: memoryStore() });
    const far = 1_700_000_000_000 + 10_000_000;
    const tokens: number[] = [];
    void candidate.election.run(async (leadership) => {
      tokens.push(leadership.token);
      await leadership.ended;
    });
    await world.advance(10);
    // A sleep that the wall clock hides: check() passes, the step behind it looks at the boot clock.
    candidate.clock.jump("boot", 20_000);
    candidate.election.leadership?.outpaced(far);
    expect(candidate.events).toContain("lost deadline");
    await world.advance(20_000);
    expect(tokens.slice(1)).toEqual([far + 1]);
  });

  it("when not eligible, a candidate lets the lease lie until it is", async () => {
    const world = createVirtualWorld();
    let ready = false;
    const candidate = createCandidate(world, "a", { store: memoryStore(), eligible: () => ready });
    void candidate.election.campaign();
    await world.advance(20_000);
    expect(candidate.events).toEqual([]);
    ready = true;
    await world.advance(1_000);
    expect(candidate.events).toHaveLength(1);
  });
});
