/** The seam of foreign electors, and the naive one behind it, on virtual clocks. */

import { expect, test } from "vitest";
import { createVirtualWorld, type VirtualClock, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { CreateElector, Elector } from "../../src/lab/foreign/elector.js";
import { createNaiveElector } from "../../src/lab/foreign/naive-elector.js";
import type { HistoryEvent } from "../../src/history/line.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { countingChance, until } from "../support/virtual.js";

const ttlMs = 2_000;

interface Stood {
  readonly elector: Elector;
  readonly clock: VirtualClock;
  readonly told: HistoryEvent[];
}

function stand(world: VirtualWorld, store: Store, node: string): Stood {
  const create: CreateElector = createNaiveElector;
  const clock = world.createClock();
  const told: HistoryEvent[] = [];
  const history = {
    write: (event: HistoryEvent) => void told.push(event),
    instant: (aheadMs: number) => String(clock.hrtimeNs() + BigInt(aheadMs) * 1_000_000n),
  };
  const elector = create({
    store,
    key: "default/demo",
    clock,
    random: countingChance(node),
    node,
    ttlMs,
    history,
  });
  elector.start();
  return { elector, clock, told };
}

test("when its leader runs, one leads, and the other follows with a higher token once it stops", async () => {
  const world = createVirtualWorld();
  const store = memoryStore({ maxTtlMs: ttlMs });
  const first = stand(world, store, "alpha");
  await until(world, () => first.elector.check(), ttlMs);
  const second = stand(world, store, "beta");
  await world.advance(5 * ttlMs);
  expect([first.elector.token(), second.elector.token()]).toEqual([1, undefined]);
  await first.elector.stop();
  await until(world, () => second.elector.check(), ttlMs);
  expect([first.elector.check(), second.elector.token()]).toEqual([false, 2]);
  expect(first.told.map(({ event }) => event).filter((event) => event !== "extended")).toEqual([
    "elected",
    "lost",
    "released",
  ]);
  await second.elector.stop();
});

test("when its leader is frozen, that goes on believing beside its successor until a refresh is refused", async () => {
  const world = createVirtualWorld();
  const store = memoryStore({ maxTtlMs: ttlMs });
  const first = stand(world, store, "alpha");
  await until(world, () => first.elector.check(), ttlMs);
  const second = stand(world, store, "beta");
  first.clock.freeze();
  await until(world, () => second.elector.check(), 2 * ttlMs);
  expect([first.elector.check(), first.elector.token()]).toEqual([true, 1]);
  first.clock.thaw();
  await until(world, () => !first.elector.check(), ttlMs);
  expect(first.told.at(-1)).toMatchObject({ event: "lost", token: 1, reason: "superseded" });
  expect(second.elector.check()).toBe(true);
  await Promise.all([first.elector.stop(), second.elector.stop()]);
});
