/** Rule 11: many elections in one process, many candidates of one election. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { LeaseRecord } from "../../src/lease/record.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { scripted } from "../support/scripted-store.js";
import { type Candidate, createCandidate, until } from "../support/virtual.js";

const candidateCount = 100;

/** One leader and a hundred candidates behind it, with every write they send counted. */
async function crowd() {
  const world = createVirtualWorld();
  const store = memoryStore();
  const leader = createCandidate(world, "leader", { store });
  const leading = leader.election.campaign();
  await world.advance(10);
  const writes: LeaseRecord[] = [];
  const candidates: Candidate[] = [];
  for (let index = 0; index < candidateCount; index += 1) {
    const wire = scripted(store, world.createClock());
    // Every wire takes a few milliseconds, as any network does.
    wire.fate = ({ kind, record }) => {
      if (kind === "write" && record !== undefined) writes.push(record);
      return { replyAfterMs: 1 + (index % 5) };
    };
    const candidate = createCandidate(world, `c${index}`, { store: wire });
    candidates.push(candidate);
    void candidate.election.campaign();
  }
  await world.advance(10_000);
  expect(writes).toHaveLength(0);
  return { world, store, leader, leadership: await leading, candidates, writes };
}

const led = (candidates: readonly Candidate[]) => candidates.filter(({ events }) => events.length > 0);

describe("a crowd of candidates", () => {
  it("when the lease is released, a few try for it and not the whole crowd", async () => {
    const { world, leadership, candidates, writes } = await crowd();
    await leadership.resign();
    await world.advance(200);
    expect(led(candidates)).toHaveLength(1);
    expect(writes.length).toBeLessThan(candidateCount / 2);
  });

  it("when the leader dies, their tries spread out, and most see the winner before they try", async () => {
    const { world, leader, candidates, writes } = await crowd();
    leader.clock.freeze();
    await until(world, () => led(candidates).length > 0, 20_000, 5);
    await world.advance(2_000);
    expect(led(candidates)).toHaveLength(1);
    expect(writes.filter(({ seq }) => seq === 1).length).toBeLessThan(candidateCount);
  });
});

describe("a crowd of elections", () => {
  it("when a thousand are held by one process, each costs a few kilobytes and they do not renew in step", async () => {
    setFlagsFromString("--expose-gc");
    const gc = runInNewContext("gc") as () => void;
    const world = createVirtualWorld();
    const store = memoryStore();
    const times: number[] = [];
    const counting: typeof store = {
      ...store,
      write(...args) {
        times.push(world.nowMs);
        return store.write(...args);
      },
    };
    const held: Candidate[] = [];
    await world.advance(0);
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 1_000; index += 1) {
      const candidate = createCandidate(world, `n${index}`, {
        store: counting,
        name: `job-${index}`,
        history: () => {},
      });
      held.push(candidate);
      void candidate.election.campaign();
    }
    await world.advance(1);
    expect(led(held)).toHaveLength(1_000);
    times.length = 0;
    await world.advance(2_500);
    gc();
    const perElection = (process.memoryUsage().heapUsed - before) / 1_000;
    expect(perElection).toBeLessThan(14 * 1_024);
    const busiest = Math.max(...countByTenth(times));
    expect(busiest).toBeLessThan(300);
  });
});

/** How many fall into each tenth of a second. */
function countByTenth(times: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const time of times) counts.set(Math.floor(time / 100), (counts.get(Math.floor(time / 100)) ?? 0) + 1);
  return [...counts.values()];
}
