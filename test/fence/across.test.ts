/** What docs/fencing-limits.md says of things that guards do not order: several resources, and effects that nobody checks. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Leadership } from "../../src/election/api.js";
import { fencesOn, type Handles } from "../../src/fence/claims.js";
import { memoryGuard } from "../../src/fence/memory/index.js";
import { createFileJournal } from "../../src/journal/file-journal.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { createSleep } from "../../src/testing/sleep.js";
import { simulated, simulatedDisk } from "../journal/scene.js";
import { scripted } from "../support/scripted-store.js";
import { createCandidate } from "../support/virtual.js";

const ttlMs = 15_000;
const longestEffectMs = 5_000;

/**
 * A leader that is cut off from the store begins an effect at the last moment of its belief, and the effect is held up on
 * its way. Its successor waits before its own. Answers whose effects arrived, in order.
 */
async function arrivals(heldUpMs: number, waitMs: number): Promise<readonly string[]> {
  const world = createVirtualWorld();
  const shared = memoryStore();
  const store = scripted(shared, world.createClock());
  const arrived: string[] = [];
  const former = createCandidate(world, "former", { store, ttlMs });
  const next = createCandidate(world, "next", { store: shared, ttlMs });
  const leadership = former.election.campaign();
  await world.advance(1_000);
  const term = await leadership;
  void next.election.run(async ({ signal, ended }) => {
    await createSleep(next.clock)(waitMs, undefined, { signal });
    arrived.push("next");
    await ended;
  });
  store.fate = () => "hang";
  while (term.remainingMs() > 20) await world.advance(10);
  term.check();
  world.quietly(heldUpMs, () => void arrived.push("former"));
  await world.advance(120_000);
  return arrived;
}

describe("an effect that nobody checks", () => {
  const waitMs = longestEffectMs + ttlMs;

  it("when it is held up for no longer than the successor waits, it arrives before the successor's", async () => {
    expect(await arrivals(waitMs, waitMs)).toEqual(["former", "next"]);
  });

  it("when the successor does not wait, or it is held up for longer, it arrives after the successor's", async () => {
    expect(await arrivals(waitMs, 0)).toEqual(["next", "former"]);
    expect(await arrivals(3 * waitMs, waitMs)).toEqual(["next", "former"]);
  });
});

describe("an invariant across two resources", () => {
  it("when the leader stops between two steps of what stands in the journal, its successor finishes it, each step once", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const { files } = await simulatedDisk();
    const account = (resource: string) => memoryGuard({ resource, initial: 100, rememberOperations: 10 });
    const guards = {
      from: account("from"),
      to: account("to"),
      journal: createFileJournal<number, null>(simulated, { resource: "journal" }, files),
    };
    const values = async () => [(await guards.from.inspect()).value, (await guards.to.inspect()).value];
    const lead = (node: string, stopsBetween: boolean) => {
      const { election, clock } = createCandidate(world, node, { store, ttlMs });
      const moves = fencesOn(clock, guards, work, {});
      void election.run(moves);
      return clock;

      async function work({ from, to, journal }: Handles<typeof guards>, leadership: Leadership) {
        const move = async (opId: string, amount: number) => {
          await from.transaction((tx) => void (tx.value -= amount), { opId });
          if (stopsBetween) await leadership.ended;
          else await to.transaction((tx) => void (tx.value += amount), { opId });
        };
        const last = (await journal.replay()).entries.at(-1);
        if (last !== undefined) await move(last.opId, last.entry);
        await journal.append(30, { opId: "move-1" });
        await move("move-1", 30);
        await leadership.ended;
      }
    };
    const killed = lead("a", true);
    await world.advance(1_000);
    expect(await values()).toEqual([70, 100]);
    world.removeClock(killed);
    lead("b", false);
    await world.advance(3 * ttlMs);
    expect(await values()).toEqual([70, 130]);
  });
});
