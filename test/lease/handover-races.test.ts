/** Rule 10 when its messages cross: a bid and a renewal, a request and a renewal, a bid and a back-off. */

import { expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { rewrite, scripted, stored } from "../support/scripted-store.js";
import { createCandidate, until } from "../support/virtual.js";

async function group(...nodes: string[]) {
  const world = createVirtualWorld();
  const store = scripted(memoryStore(), world.createClock());
  const candidates = nodes.map((node) => createCandidate(world, node, { store }));
  for (const { election } of candidates) {
    void election.run(async (leadership) => void (await leadership.ended));
    await world.advance(50);
  }
  await world.advance(5_000);
  return { world, store, candidates };
}

it("when a bid meets a renewal of the holder, it is tried again", async () => {
  const { world, store, candidates } = await group("a", "b", "c");
  const late = new Set<string>();
  store.fate = ({ record }) => {
    if (record?.bid === undefined || record.writer === record.instance || late.has(record.writer))
      return "normal";
    late.add(record.writer);
    // The holder renews while the first bid of each candidate is on its way.
    void candidates[0]?.election.leadership?.ensure(9_990).catch(() => {});
    return { executeAfterMs: 20 };
  };
  const asked = candidates[0]?.election.transfer();
  await world.advance(5_000);
  expect(await asked).toMatchObject({ kind: "transferred" });
});

it("when the leader asks while a renewal is under way, the request is written after it", async () => {
  const { world, store, candidates } = await group("a", "b", "c");
  let sent = 0;
  store.fate = ({ kind, record }) => {
    if (kind !== "write" || record?.node !== "a" || record.state !== "held") return "normal";
    sent += 1;
    return { replyAfterMs: 30 };
  };
  await until(world, () => sent > 0, 5_000, 1);
  const asked = candidates[0]?.election.transfer();
  await world.advance(5_000);
  expect(await asked).toMatchObject({ kind: "transferred" });
});

it("when a look that was sent before the request is answered after it, its older record ends nothing", async () => {
  const { world, store, candidates } = await group("a", "b");
  let looking = false;
  store.fate = ({ kind }) => {
    if (kind !== "read" || looking) return "normal";
    looking = true;
    return { replyAfterMs: 30 };
  };
  await until(world, () => looking, 5_000, 1);
  const asked = candidates[1]?.election.transfer();
  await world.advance(5_000);
  expect(await asked).toMatchObject({ kind: "transferred", to: "b" });
});

it("when a candidate rests after its own term, it does not bid for what it will not take at once", async () => {
  const { world, candidates } = await group("a", "b", "c");
  const first = candidates[0]?.election.transfer({ to: "b" });
  await world.advance(100);
  expect(await first).toMatchObject({ kind: "transferred", to: "b" });
  const gaps: boolean[] = [];
  const second = candidates[1]?.election.transfer({ to: "a" });
  for (let ms = 0; ms < 6_000; ms += 10) {
    await world.advance(10);
    gaps.push(candidates.every(({ election }) => election.leadership?.isCurrent !== true));
  }
  await second;
  expect(gaps.filter(Boolean).length * 10).toBeLessThan(100);
});

it("when the leader resigns while a transfer waits for a bid, it resigns though nobody bids", async () => {
  const { world, candidates } = await group("a");
  const [a] = candidates;
  const asked = a?.election.transfer({ to: "nobody" });
  await world.advance(10);
  const resigned = a?.election.leadership?.resign({ to: "nobody" });
  await world.advance(6_000);
  await resigned;
  expect(a?.events).toContain("lost resigned");
  expect((await asked)?.kind).not.toBe("transferred");
});

it("when another request takes the place of a resignation's own, the term resigns all the same", async () => {
  const { world, store, candidates } = await group("a");
  const [a] = candidates;
  const resigned = a?.election.leadership?.resign({ to: "nobody" });
  await until(world, async () => (await stored(store)).request !== undefined, 1_000, 1);
  const request = { id: "other", verb: "transfer", to: "nobody-else", by: "operator" } as const;
  await rewrite(store, (record) => ({ ...record, writer: "operator", nonce: "o", request }));
  await world.advance(12_000);
  await resigned;
  expect(a?.events).toContain("lost resigned");
});
