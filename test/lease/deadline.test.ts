/** Rule 3: belief ends at the send time of the last confirmed renewal + ttl / 1.5, on the clock that saw most time pass. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

const beliefMs = 10_000;

async function leader(options: { boot?: boolean } = {}) {
  const world = createVirtualWorld();
  const inner = memoryStore();
  const store = scripted(inner, world.createClock());
  const candidate = createCandidate(world, "leader", { store });
  const leading = candidate.election.campaign();
  await world.advance(1);
  return { world, store, inner, candidate, leadership: await leading, options };
}

describe("the deadline", () => {
  it("when the store falls silent, belief ends 10 s after the last confirmed send, to the millisecond", async () => {
    const { world, store, candidate, leadership } = await leader();
    await world.advance(7_000);
    const remaining = leadership.remainingMs();
    store.fate = () => "hang";
    await world.advance(remaining - 1);
    expect(leadership.isCurrent).toBe(true);
    await world.advance(1);
    expect(leadership.isCurrent).toBe(false);
    expect(() => leadership.check()).toThrow(expect.objectContaining({ code: "LEADERSHIP_LOST" }));
    expect(candidate.events.at(-1)).toBe("lost deadline");
  });

  it("when only the reply is late, the deadline counts from the send and not from the reply", async () => {
    const { world, store, leadership } = await leader();
    store.fate = ({ kind }) => (kind === "write" ? { replyAfterMs: 9_000 } : "normal");
    const before = leadership.remainingMs();
    await world.advance(before - 1);
    // The renewal sent 2.5 s or less after election is answered 9 s later: it gives what is left of its own 10 s.
    expect(leadership.remainingMs()).toBeLessThanOrEqual(2_500 + 1);
  });

  it("when replies come out of order, the deadline never moves back", async () => {
    const { world, store, leadership } = await leader();
    let first = true;
    store.fate = ({ kind }) => {
      if (kind === "write" && first) {
        first = false;
        return { replyAfterMs: 4_000 };
      }
      return "normal";
    };
    let until = 0;
    for (let step = 0; step < 200; step += 1) {
      await world.advance(50);
      const next = world.nowMs + leadership.remainingMs();
      expect(next).toBeGreaterThanOrEqual(until - 0.001);
      until = next;
    }
    expect(leadership.isCurrent).toBe(true);
  });

  it("when an acquiring write is found in force after its deadline, it is released and nobody leads by it", async () => {
    const world = createVirtualWorld();
    const inner = memoryStore();
    const store = scripted(inner, world.createClock());
    store.fate = ({ kind, count }) => {
      if (kind === "write" && count === 1) return { replyAfterMs: 45_000 };
      return count === 1 ? "normal" : "hang";
    };
    const candidate = createCandidate(world, "late", { store });
    void candidate.election.campaign();
    await world.advance(44_000);
    const [ghost] = store.writes;
    expect(await stored(inner)).toMatchObject({ nonce: ghost?.nonce, state: "held" });
    store.fate = () => "normal";
    await world.advance(10_000);
    expect(store.writes.find(({ state }) => state === "released")?.instance).toBe(ghost?.instance);
    const elected = candidate.history.map((line) => JSON.parse(line) as { event: string; instance: string });
    expect(elected.filter(({ event }) => event === "elected").map(({ instance }) => instance)).not.toContain(
      ghost?.instance,
    );
    // The same campaign goes on under a fresh instance.
    expect(candidate.events).toHaveLength(1);
  });

  it("when the machine sleeps for a minute, the first check afterwards is false, before any timer", async () => {
    const { world, candidate, leadership } = await leader();
    const kept = leadership.signal;
    candidate.clock.suspend();
    await world.advance(60_000);
    candidate.clock.wake();
    expect(leadership.isCurrent).toBe(false);
    expect(kept.aborted).toBe(true);
    expect(candidate.events.at(-1)).toBe("lost deadline");
  });

  it("when the event loop is blocked past the deadline, the signal getter says so before its timer can", async () => {
    const { world, candidate, leadership } = await leader();
    candidate.clock.freeze();
    await world.advance(beliefMs + 1);
    expect(leadership.signal.aborted).toBe(true);
    expect(leadership.isCurrent).toBe(false);
  });

  it("when the wall clock steps by 30 s or an hour, either way, leadership goes on", async () => {
    for (const jumpMs of [30_000, -30_000, 3_600_000, -3_600_000]) {
      const { world, candidate, leadership } = await leader();
      candidate.clock.jump("wall", jumpMs);
      await world.advance(60_000);
      expect(leadership.isCurrent).toBe(true);
      expect(candidate.events).toHaveLength(1);
    }
  });

  it("when the leader's clock runs slow by up to 1.5 : 1, it stops before its successor begins", async () => {
    for (const rate of [1 / 1.49, 0.9, 0.99, 1.01, 1.1, 1.4]) {
      const { world, store, inner, candidate, leadership } = await leader();
      for (const reading of ["monotonic", "boot", "wall"] as const) candidate.clock.setRate(reading, rate);
      const next = createCandidate(world, "next", { store: inner });
      void next.election.campaign();
      await world.advance(6_000);
      store.fate = () => "hang";
      await until(world, () => next.events.length > 0, 40_000, 1);
      expect(leadership.isCurrent).toBe(false);
    }
  });

  it("when asked for time, ensure renews until enough remains, and refuses more than a renewal gives", async () => {
    const { world, store, leadership } = await leader();
    await world.advance(1_200);
    await leadership.ensure(9_900);
    expect(leadership.remainingMs()).toBeGreaterThanOrEqual(9_900);
    await expect(leadership.ensure(10_001)).rejects.toBeInstanceOf(RangeError);
    store.fate = () => "hang";
    await world.advance(5_000);
    const asked = leadership.ensure(9_000);
    const refused = expect(asked).rejects.toMatchObject({ code: "ENSURE_UNCONFIRMED" });
    await world.advance(2_100);
    await refused;
    await world.advance(3_000);
    const lost = expect(leadership.ensure(9_000)).rejects.toMatchObject({ code: "LEADERSHIP_LOST" });
    await world.advance(10_000);
    await lost;
  });
});
