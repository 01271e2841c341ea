/** Rule 10: planned handover, asked for by the leader, a candidate or a bystander. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { rewrite, scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

async function group(...nodes: string[]) {
  const world = createVirtualWorld();
  return { world, ...(await stand(world, memoryStore(), nodes)) };
}

async function stand(world: VirtualWorld, store: Store, nodes: readonly string[]) {
  const candidates = nodes.map((node) => createCandidate(world, node, { store }));
  for (const { election } of candidates) {
    void election.run(async (leadership) => void (await leadership.ended));
    await world.advance(50);
  }
  await world.advance(5_000);
  return { store, candidates };
}

const elections = (events: readonly string[]) => events.filter((event) => event.startsWith("elected"));

describe("transfer", () => {
  it("when the leader asks, a candidate follows within 100 ms and the asker learns its name", async () => {
    const { world, candidates } = await group("a", "b", "c");
    const [a, b, c] = candidates;
    const asked = a?.election.transfer();
    await world.advance(100);
    const result = await asked;
    expect(result?.kind).toBe("transferred");
    expect(a?.events.slice(1)).toEqual(["lost transferred", "released released"]);
    expect(elections([...(b?.events ?? []), ...(c?.events ?? [])])).toHaveLength(1);
  });

  it("when a node is named, that one follows and no other", async () => {
    const { world, candidates } = await group("a", "b", "c");
    const [, b, c] = candidates;
    const asked = b?.election.transfer({ to: "c" });
    await world.advance(200);
    expect(await asked).toMatchObject({ kind: "transferred", to: "c" });
    expect(elections(b?.events ?? [])).toHaveLength(0);
    expect(elections(c?.events ?? [])).toHaveLength(1);
  });

  it("when a candidate asks for itself, it leads", async () => {
    const { world, candidates } = await group("a", "b");
    const asked = candidates[1]?.election.transfer({ to: "b" });
    await world.advance(200);
    expect(await asked).toMatchObject({ kind: "transferred", to: "b" });
  });

  it("when a bystander asks, it needs no candidacy of its own", async () => {
    const { world, store, candidates } = await group("a", "b");
    const bystander = createCandidate(world, "operator", { store });
    const asked = bystander.election.transfer();
    await world.advance(500);
    expect(await asked).toMatchObject({ kind: "transferred", to: "b" });
    expect(elections(candidates[1]?.events ?? [])).toHaveLength(1);
    await bystander.election.stop();
  });

  it("when the leader shall leave in any case and nobody answers, it resigns within a renewal", async () => {
    const { world, store, candidates } = await group("a");
    const operator = createCandidate(world, "operator", { store });
    const asked = operator.election.transfer({ orResign: true });
    await world.advance(200);
    expect(await asked).toEqual({ kind: "resigned" });
    expect(candidates[0]?.events.slice(1, 3)).toEqual(["lost resigned", "released released"]);
    await operator.election.stop();
  });

  it("when the leader asks to leave in any case, it waits for an answer first", async () => {
    const { world, candidates } = await group("a");
    const [a] = candidates;
    const asked = a?.election.transfer({ orResign: true });
    await world.advance(1_000);
    expect(a?.events).toHaveLength(1);
    await world.advance(2_500 + 2_000);
    expect(await asked).toEqual({ kind: "resigned" });
    expect(a?.events.slice(1, 3)).toEqual(["lost resigned", "released released"]);
  });

  it("when the leader shall leave in any case and somebody follows, the asker learns that the lease moved on", async () => {
    const { world, store, candidates } = await group("a", "b");
    const operator = createCandidate(world, "operator", { store });
    const asked = operator.election.transfer({ orResign: true });
    await world.advance(1_000);
    expect(["resigned", "transferred"]).toContain((await asked)?.kind);
    expect(elections(candidates[1]?.events ?? [])).toHaveLength(1);
    await operator.election.stop();
  });

  it("when nobody answers, the same term goes on and the request is cleared", async () => {
    const { world, store, candidates } = await group("a");
    const [a] = candidates;
    const before = await stored(store);
    const asked = a?.election.transfer({ to: "nobody" });
    await world.advance(2_500 + 2_000 + 100);
    expect(await asked).toEqual({ kind: "no-candidate" });
    await world.advance(5_000);
    const after = await stored(store);
    expect(after).toMatchObject({ token: before.token, state: "held" });
    expect(after.request).toBeUndefined();
    expect(a?.events).toHaveLength(1);
  });

  it("when a bid meets a renewal and conflicts, the candidate answers again", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const { candidates } = await stand(world, store, ["a"]);
    const wire = scripted(store, world.createClock());
    let refusals = 3;
    wire.fate = ({ record }) => {
      if (record?.bid === undefined || refusals === 0) return "normal";
      refusals -= 1;
      return { answer: { kind: "conflict", current: seenBy } };
    };
    let seenBy: Awaited<ReturnType<Store["read"]>>;
    const b = createCandidate(world, "b", {
      store: {
        ...wire,
        async read(key, call) {
          seenBy = await wire.read(key, call);
          return seenBy;
        },
      },
    });
    void b.election.campaign();
    await world.advance(5_000);
    const asked = candidates[0]?.election.transfer();
    await world.advance(3_000);
    expect(refusals).toBe(0);
    expect(await asked).toMatchObject({ kind: "transferred", to: "b" });
  });

  it("when a node other than the one named answers, the holder does not offer to it", async () => {
    const { world, store, candidates } = await group("a");
    const asked = candidates[0]?.election.transfer({ to: "c" });
    await until(world, async () => (await stored(store)).request !== undefined, 1_000, 1);
    await rewrite(store, (record) => {
      const bid = { instance: "pushy", node: "b", requestId: record.request?.id ?? "" };
      return { ...record, writer: "pushy", nonce: "p", bid };
    });
    await world.advance(6_000);
    expect(await asked).toEqual({ kind: "no-candidate" });
    expect((await stored(store)).state).toBe("held");
  });

  it("when the only candidate is not eligible, it does not bid", async () => {
    const { world, store, candidates } = await group("a");
    const shy = createCandidate(world, "shy", { store, eligible: () => false });
    void shy.election.campaign();
    await world.advance(1_000);
    const asked = candidates[0]?.election.transfer();
    await world.advance(5_000);
    expect(await asked).toEqual({ kind: "no-candidate" });
  });

  it("when nobody leads, there is nothing to transfer", async () => {
    const { world, store } = await group();
    const operator = createCandidate(world, "operator", { store });
    const asked = operator.election.transfer();
    await world.advance(100);
    expect(await asked).toEqual({ kind: "not-held" });
  });

  it("when the asker gives up, its promise rejects with its reason and the leader answers on its own", async () => {
    const { world, candidates } = await group("a");
    const abort = new AbortController();
    const asked = expect(candidates[0]?.election.transfer({ signal: abort.signal })).rejects.toBe(
      "changed my mind",
    );
    await world.advance(10);
    abort.abort("changed my mind");
    await asked;
    await world.advance(10_000);
    expect(candidates[0]?.events).toHaveLength(1);
  });
});

describe("an offer", () => {
  it("when the successor named is dead, anyone takes it after one second", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const { candidates } = await stand(world, store, ["a", "c"]);
    const [a, c] = candidates;
    const wire = scripted(store, world.createClock(), { watch: () => {} });
    const b = createCandidate(world, "b", { store: wire });
    void b.election.campaign();
    await world.advance(5_000);
    const asked = a?.election.transfer({ to: "b" });
    // b has answered; it dies before it can see the offer.
    await until(world, async () => (await stored(store)).bid !== undefined, 10_000, 1);
    wire.fate = () => "hang";
    await until(world, async () => (await stored(store)).state === "offered", 10_000, 1);
    const offeredAt = world.nowMs;
    await world.advance(999);
    expect((await stored(store)).state).toBe("offered");
    await world.advance(700);
    const next = await stored(store);
    expect(next.state).toBe("held");
    expect(next.node).not.toBe("b");
    expect(elections([...(a?.events.slice(1) ?? []), ...(c?.events ?? [])])).toHaveLength(1);
    expect(world.nowMs - offeredAt).toBeLessThan(1_000 + 1_000);
    await world.advance(100);
    expect((await asked)?.kind).toBe("superseded");
  });

  it("when an offer names an instance that never confirms, belief is nowhere until someone writes", async () => {
    const { world, store, candidates } = await group("a");
    await candidates[0]?.election.stop();
    await world.advance(10);
    const late = createCandidate(world, "late", { store });
    await rewrite(store, (record) => ({
      ...record,
      state: "offered",
      offeredTo: "ghost",
      nonce: "o",
      seq: record.seq + 1,
    }));
    void late.election.campaign();
    await world.advance(999);
    expect(late.events).toEqual([]);
    await world.advance(150);
    expect(late.events).toHaveLength(1);
  });
});

describe("resign", () => {
  it("when a successor is named and ready, resign offers to it; otherwise it releases", async () => {
    for (const [to, reason] of [
      ["b", "resigned"],
      ["nobody", "resigned"],
    ] as const) {
      const world = createVirtualWorld();
      const store = memoryStore();
      const a = createCandidate(world, "a", { store });
      const leading = a.election.campaign();
      await world.advance(10);
      const b = createCandidate(world, "b", { store });
      void b.election.campaign();
      await world.advance(3_000);
      const resigning = (await leading).resign({ to });
      await world.advance(6_000);
      await resigning;
      expect(a.events).toContain(`lost ${reason}`);
      expect(elections(b.events)).toHaveLength(1);
    }
  });

  it("when an operator asks the holder to resign through the record, it does", async () => {
    const { world, store, candidates } = await group("a");
    const request = { id: "r1", verb: "resign", by: "operator" } as const;
    await rewrite(store, (record) => ({ ...record, writer: "operator", nonce: "op", request }));
    await world.advance(2_600);
    expect(candidates[0]?.events).toContain("lost resigned");
  });
});
