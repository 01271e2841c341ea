/** Rule 5: what is released or offered may be older than a lease that the store has forgotten. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { doubtingStore } from "../support/doubting-store.js";
import { scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

const ttlMs = 15_000;

function opened() {
  const world = createVirtualWorld();
  const twin = doubtingStore();
  return { world, twin, store: twin.store };
}

/** Somebody led and gave the lease back; answers what the store held then. */
async function released({ world, twin, store }: ReturnType<typeof opened>) {
  const first = createCandidate(world, "first", { store });
  const leading = first.election.campaign();
  await world.advance(10);
  await (await leading).resign();
  await first.election.stop();
  return twin.snapshot();
}

/** What is said of absence with each write that holds the lease. */
function watched(
  world: ReturnType<typeof createVirtualWorld>,
  store: ReturnType<typeof doubtingStore>["store"],
) {
  const wire = scripted(store, world.createClock());
  const asked: string[] = [];
  wire.fate = ({ kind, record, absence }) => {
    if (kind === "write" && record?.state === "held") asked.push(`${absence}`);
    return "normal";
  };
  return { wire, asked };
}

describe("a store that comes back with older data", () => {
  it("when a store comes back with an older release beside a living leader, whoever saw the leader waits for a whole ttl", async () => {
    const scene = opened();
    const { world, twin, store } = scene;
    const snapshot = await released(scene);
    const leader = createCandidate(world, "leader", { store });
    void leader.election.campaign();
    await world.advance(10);
    const { wire, asked } = watched(world, store);
    const next = createCandidate(world, "next", { store: wire });
    void next.election.campaign();
    await world.advance(7_000);
    await twin.restart(snapshot);
    const restartedAt = world.nowMs;
    await until(world, () => leader.election.leadership === undefined || next.events.length > 0, 20_000, 1);
    expect(next.events).toEqual([]);
    expect(leader.events.at(-1)).toMatch(/^lost /);
    await until(world, () => next.events.length > 0, 20_000);
    expect(world.nowMs - restartedAt).toBeGreaterThanOrEqual(ttlMs);
    expect(world.nowMs - restartedAt).toBeLessThan(ttlMs + 3_000);
    expect(asked.slice(0, 2)).toEqual(["prove", "waited"]);
  });

  it("when a store comes back with an older offer, whoever it was made to waits too", async () => {
    const { world, twin, store } = opened();
    let offer: unknown;
    const wire: typeof store = {
      ...store,
      async write(...call) {
        const answer = await store.write(...call);
        if (call[1].state === "offered") offer = await twin.snapshot();
        return answer;
      },
    };
    const leader = createCandidate(world, "leader", { store: wire });
    const heir = createCandidate(world, "heir", { store });
    for (const { election } of [leader, heir]) {
      void election.run(async (leadership) => void (await leadership.ended));
      await world.advance(100);
    }
    const moved = leader.election.transfer({ to: "heir" });
    await world.advance(3_000);
    expect((await moved).kind).toBe("transferred");
    await twin.restart(offer);
    const told = leader.events.length + heir.events.length;
    await world.advance(ttlMs - 100);
    // The heir has lost what the store forgot, and nobody has taken the offer.
    expect((await stored(store)).state).toBe("offered");
    expect(leader.events.length + heir.events.length - told).toBe(2);
    await world.advance(3_500);
    expect((await stored(store)).state).toBe("held");
  });

  it("when the same store was asked about one release, a later one is asked about anew and taken at once", async () => {
    const scene = opened();
    const { world, twin, store } = scene;
    await twin.restart(await released(scene));
    const { wire, asked } = watched(world, store);
    const next = createCandidate(world, "next", { store: wire });
    void next.election.campaign();
    await world.advance(1_000);
    expect(asked).toEqual(["prove"]);
    // Somebody who had waited longer leads, and gives it back.
    twin.doubts = false;
    const other = createCandidate(world, "other", { store });
    const leading = other.election.campaign();
    await world.advance(5_000);
    await (await leading).resign();
    await world.advance(100);
    expect(next.events).toHaveLength(1);
    expect(asked.slice(0, 2)).toEqual(["prove", "prove"]);
  });

  it("when the answer that nothing is proven tells of another epoch, the wait begins with it", async () => {
    const scene = opened();
    const { world, twin, store } = scene;
    const snapshot = await released(scene);
    const { wire, asked } = watched(world, store);
    let eligible = false;
    const next = createCandidate(world, "next", { store: wire, eligible: () => eligible });
    void next.election.campaign();
    await world.advance(60_000);
    expect(next.events).toEqual([]);
    // It has looked at this release for a minute, and has not looked since the store came back.
    wire.fate = ({ kind, absence, record }) => {
      if (kind === "write" && record?.state === "held") asked.push(`${absence}`);
      return kind === "read" ? "hang" : "normal";
    };
    await world.advance(2_500);
    await twin.restart(snapshot);
    eligible = true;
    await until(world, () => asked.length > 0, 5_000);
    const askedAt = world.nowMs;
    await until(world, () => next.events.length > 0, 40_000);
    expect(asked.slice(0, 2)).toEqual(["prove", "waited"]);
    expect(world.nowMs - askedAt).toBeGreaterThanOrEqual(ttlMs);
  });

  it("when the store proves again, nobody waits", async () => {
    const scene = opened();
    const { world, twin, store } = scene;
    await twin.restart(await released(scene));
    twin.doubts = false;
    const next = createCandidate(world, "next", { store });
    void next.election.campaign();
    await world.advance(5);
    expect(next.events).toHaveLength(1);
  });

  it("when one try is asked for and nothing is proven, it waits; when it shall not wait, it is unknown", async () => {
    const scene = opened();
    const { world, twin, store } = scene;
    await twin.restart(await released(scene));
    const hasty = createCandidate(world, "hasty", { store }).election.tryCampaign({ immediate: true });
    await world.advance(10);
    expect(await hasty).toEqual({ kind: "unknown" });
    const patient = createCandidate(world, "patient", { store }).election.tryCampaign();
    await world.advance(ttlMs + 200);
    expect((await patient).kind).toBe("elected");
  });

  it("when the store is not content with a wait either, it is asked at growing pauses", async () => {
    const world = createVirtualWorld();
    const wire = scripted(memoryStore(), world.createClock());
    wire.fate = ({ kind }) => (kind === "write" ? { answer: { kind: "unproven", epoch: "e" } } : "normal");
    const candidate = createCandidate(world, "a", { store: wire });
    void candidate.election.campaign();
    await world.advance(60_000);
    expect(candidate.events).toEqual([]);
    expect(wire.writes.length).toBeGreaterThan(2);
    expect(wire.writes.length).toBeLessThan(60);
  });
});

describe("a store that comes back in another epoch, under a write that went unanswered", () => {
  it("when a take is given up, it is not undone over a record that was not observed since", async () => {
    const { world, twin, store } = opened();
    const gone = createCandidate(world, "gone", { store });
    void gone.election.campaign();
    await world.advance(10);
    const snapshot = await twin.snapshot();
    gone.clock.freeze();
    const wire = scripted(store, world.createClock());
    const next = createCandidate(world, "next", { store: wire });
    void next.election.campaign().catch(() => {});
    let takes = 0;
    wire.fate = ({ kind, record }) => {
      if (kind === "read" || record?.state !== "held") return "normal";
      takes += 1;
      return takes === 1 ? "lose-reply" : "hang";
    };
    await until(world, () => takes === 1, 2 * ttlMs);
    await twin.restart(snapshot);
    // It looks again, and is shown the older lease in the new epoch.
    await world.advance(5_000);
    const before = await stored(store);
    await next.election.stop();
    expect(before.node).toBe("gone");
    expect(await stored(store)).toEqual(before);
  });

  it("when a holder is shown its own older record, it waits for a whole ttl from then before it leads again", async () => {
    const { world, twin, store } = opened();
    const capabilities = { ...store.capabilities, readBackProves: false };
    const wire = scripted(store, world.createClock(), { capabilities });
    const holder = createCandidate(world, "holder", { store: wire });
    void holder.election.run(async ({ ended }) => void (await ended));
    await until(world, () => holder.events.length === 1, 1_000);
    const snapshot = await twin.snapshot();
    let [renewals, back] = [0, false];
    const takesAt: number[] = [];
    wire.fate = ({ kind, record }) => {
      if (kind === "read") return "normal";
      if (record?.state === "held" && back) takesAt.push(world.nowMs);
      if (record?.state === "held" && !back) renewals += 1;
      // One is carried out and not answered, the next one meets it; all others are lost, but the first that gives back.
      if (record?.state === "held") return renewals === 1 ? "lose-reply" : renewals === 2 ? "normal" : "hang";
      releases += 1;
      return releases === 1 ? "normal" : "hang";
    };
    let releases = 0;
    await until(world, () => holder.events.includes("lost deadline"), 12_000, 1);
    await twin.restart(snapshot);
    back = true;
    const backAt = world.nowMs;
    await until(world, () => takesAt.length > 0, 60_000);
    expect(releases).toBeGreaterThan(1);
    expect((takesAt[0] ?? 0) - backAt).toBeGreaterThanOrEqual(ttlMs);
  });
});
