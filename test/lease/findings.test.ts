/** What a store finds out about itself is told once, and counts where it takes P1 away. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld } from "../../src/base/virtual-clock.js";
import type { Store, StoreFinding } from "../../src/lease/store.js";
import { wrapStore } from "../../src/lease/wrap-store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { faultyStore } from "../../src/testkit/index.js";
import { scripted } from "../support/scripted-store.js";
import { createCandidate } from "../support/virtual.js";

const evicting: StoreFinding = { code: "STORE_EVICTS", message: "the server evicts keys", advisory: true };
const old: StoreFinding = { code: "STORE_OLD", message: "the server is old", advisory: false };

function finding() {
  const world = createVirtualWorld();
  let findings: readonly StoreFinding[] = [];
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    get findings() {
      return findings;
    },
  };
  const warnings: (readonly [code: unknown, message: string])[] = [];
  const warn = (fields: object, message: string) =>
    void warnings.push([new Map(Object.entries(fields)).get("code"), message]);
  return {
    world,
    store,
    warnings,
    logger: { debug() {}, info() {}, warn, error() {} },
    find: (more: StoreFinding) => void (findings = [...findings, more]),
  };
}

describe("findings of a store", () => {
  it("when something is found out, each election object is told once, after the next answer", async () => {
    const { world, store, warnings, logger, find } = finding();
    find(old);
    const candidate = createCandidate(world, "a", { store, logger });
    expect(warnings).toEqual([]);
    void candidate.election.campaign();
    await world.advance(10_000);
    expect(warnings).toEqual([["STORE_OLD", "the server is old"]]);
    find(evicting);
    await world.advance(60_000);
    expect(warnings.slice(1)).toEqual([["STORE_EVICTS", "the server evicts keys"]]);
    const other = createCandidate(world, "b", { store, logger });
    void other.election.campaign();
    await world.advance(10_000);
    expect(warnings.slice(2).map(([code]) => code)).toEqual(["STORE_OLD", "STORE_EVICTS"]);
  });

  it("when it takes P1 away, belief is advisory from then on, with the message as the reason", () => {
    const { world, store, find } = finding();
    const { election } = createCandidate(world, "a", { store });
    expect(election.status).toMatchObject({ belief: "exclusive", reasons: [] });
    find(old);
    expect(election.status).toMatchObject({ belief: "exclusive", reasons: [] });
    find(evicting);
    expect(election.status).toMatchObject({ belief: "advisory", reasons: ["the server evicts keys"] });
  });

  it("when nothing is found out, asking for the reasons makes nothing new", () => {
    const { world, store } = finding();
    const first = createCandidate(world, "a", { store }).election.status.reasons;
    const second = createCandidate(world, "b", { store: memoryStore() }).election.status.reasons;
    expect(first).toEqual([]);
    expect(second).toBe(first);
  });

  it("when a store is wrapped, what is found out later shows, and batches stay behind", () => {
    const { world, store, find } = finding();
    const batching: Store = wrapStore(store, {});
    Object.assign(batching, { readMany: async () => [], writeMany: async () => [] });
    const around = [
      wrapStore(batching, {}),
      faultyStore(batching, () => undefined),
      scripted(batching, world.createClock()),
    ];
    find(evicting);
    for (const wrapped of around) {
      expect(wrapped.findings).toEqual([evicting]);
      expect(wrapped.findings).toBe(wrapped.findings);
      expect([wrapped.readMany, wrapped.writeMany]).toEqual([undefined, undefined]);
    }
  });
});
