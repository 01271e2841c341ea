/** Rule 5: absent is not released. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

/** A store that can be emptied under its users. */
function forgetful(maxTtlMs = 15_000): { readonly store: Store; wipe(): void } {
  let inner = memoryStore({ maxTtlMs });
  const store: Store = {
    ...inner,
    read: (key, call) => inner.read(key, call),
    write: (key, record, expected, call) => inner.write(key, record, expected, call),
    watch: () => {},
  };
  return {
    store,
    wipe() {
      inner = memoryStore({ maxTtlMs });
    },
  };
}

describe("an absent record", () => {
  it("when the store proves that the name was never held, the first candidate leads at once", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore(), world.createClock());
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    await world.advance(1);
    expect(candidate.events).toHaveLength(1);
    expect(store.writes).toHaveLength(1);
  });

  it("when the store cannot prove it, the candidate waits for the longest ttl the store allows", async () => {
    const world = createVirtualWorld();
    const store = scripted(memoryStore({ maxTtlMs: 40_000 }), world.createClock());
    const absences: unknown[] = [];
    store.fate = ({ kind, absence }) => {
      if (kind !== "write") return "normal";
      absences.push(absence);
      return absence === "prove" ? { answer: { kind: "unproven", epoch: "e" } } : "normal";
    };
    const candidate = createCandidate(world, "a", { store, ttlMs: 3_000 });
    void candidate.election.campaign();
    await world.advance(39_999);
    expect(candidate.events).toEqual([]);
    await world.advance(200);
    expect(candidate.events).toHaveLength(1);
    expect(absences.slice(0, 2)).toEqual(["prove", "waited"]);
  });

  it("when the store is wiped under a holder, it stops at its next renewal and nobody who saw it creates early", async () => {
    const world = createVirtualWorld();
    const { store, wipe } = forgetful();
    const holder = createCandidate(world, "holder", { store });
    void holder.election.campaign();
    await world.advance(20_000);
    const follower = createCandidate(world, "follower", { store });
    void follower.election.campaign();
    await world.advance(5_000);
    wipe();
    const wipedAt = world.nowMs;
    await world.advance(2_600);
    expect(holder.events.at(-1)).toBe("lost store-lost");
    await until(world, () => follower.events.length > 0, 60_000, 50);
    expect(world.nowMs - wipedAt).toBeGreaterThanOrEqual(15_000);
    expect(world.nowMs - wipedAt).toBeLessThan(15_000 + 3_000);
  });

  it("when the last ttl seen was longer than the candidate's own, the wait covers it", async () => {
    const world = createVirtualWorld();
    const { store, wipe } = forgetful(15_000);
    const holder = createCandidate(world, "holder", { store, ttlMs: 15_000 });
    void holder.election.campaign();
    await world.advance(1_000);
    const follower = createCandidate(world, "follower", { store, ttlMs: 1_000 });
    void follower.election.campaign();
    await world.advance(1_000);
    wipe();
    await world.advance(14_900);
    expect(follower.events).toEqual([]);
  });

  it("when a take was in force but told of too late, the name counts as seen", async () => {
    const world = createVirtualWorld();
    const { store: inner, wipe } = forgetful();
    const store = scripted(inner, world.createClock());
    const absences: unknown[] = [];
    let wiped = false;
    store.fate = ({ kind, record, absence, count }) => {
      if (kind === "write" && record?.state === "held" && wiped) absences.push(absence);
      if (wiped || (kind === "read" && count === 1)) return "normal";
      return kind === "write" && count === 1 ? { replyAfterMs: 11_000 } : "hang";
    };
    const candidate = createCandidate(world, "a", { store });
    void candidate.election.campaign();
    // Its undo is lost, so that nothing but the late answer tells of the name.
    await world.advance(11_100);
    wipe();
    wiped = true;
    await world.advance(20_000);
    expect(absences[0]).toBe("waited");
  });

  it("when a lease was released, its tombstone is taken at once by anyone", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const first = createCandidate(world, "first", { store });
    const leading = first.election.campaign();
    await world.advance(10);
    await (await leading).resign();
    const second = createCandidate(world, "second", { store });
    void second.election.campaign();
    await world.advance(1);
    expect(second.events).toHaveLength(1);
  });

  it("when a store is wiped and the same object elects again, tokens go on rising", async () => {
    const world = createVirtualWorld();
    const { store, wipe } = forgetful();
    const holder = createCandidate(world, "holder", { store });
    const running = holder.election.run(async (leadership) => void (await leadership.ended));
    await world.advance(10);
    wipe();
    // The clock that seeds tokens goes back meanwhile: what was seen still counts.
    holder.clock.jump("wall", -86_400_000);
    await world.advance(40_000);
    const tokens = holder.events
      .filter((event) => event.startsWith("elected"))
      .map((event) => Number(event.slice(8)));
    expect(tokens).toHaveLength(2);
    expect(tokens[1]).toBeGreaterThan(tokens[0] ?? Number.POSITIVE_INFINITY);
    const stopping = holder.election.stop();
    await world.advance(1_000);
    await Promise.all([running, stopping]);
  });
});
