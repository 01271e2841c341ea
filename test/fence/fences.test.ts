/** Work behind guards, on elections in virtual time: the shipped election, lease, store and guard. */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { Leadership } from "../../src/election/api.js";
import { createError, TenureError } from "../../src/errors/index.js";
import { fencesOn, type FencesOptions } from "../../src/fence/claims.js";
import type { Guard } from "../../src/fence/guard.js";
import { memoryGuard, type ValueHandle } from "../../src/fence/memory/index.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { type Candidate, createCandidate } from "../support/virtual.js";
import { fence } from "./scene.js";

const ttlMs = 15_000;
/** Above every token that the virtual world's clock seeds. */
const high = 2 ** 44;

type Counter = ValueHandle<number>;

class Scene {
  readonly world: VirtualWorld = createVirtualWorld();
  readonly candidate: Candidate = createCandidate(this.world, "a", { store: memoryStore(), ttlMs });
  readonly tokens: number[] = [];
  readonly failures: unknown[] = [];

  constructor() {
    this.candidate.election.on("workFailed", ({ cause }) => this.failures.push(cause));
  }

  /** Stands for ever; each term in which all is claimed puts down its token. */
  run(guards: Readonly<Record<string, Guard<Counter>>>, options: FencesOptions = {}): void {
    const clock = this.candidate.clock;
    void this.candidate.election.run(
      fencesOn(
        clock,
        guards,
        async (_, leadership: Leadership) => {
          this.tokens.push(leadership.token);
          await leadership.ended;
        },
        options,
      ),
    );
  }
}

function counter(resource: string): ReturnType<typeof memoryGuard<number>> {
  return memoryGuard({ resource, initial: 0 });
}

/** Claimed by somebody with that token. */
async function claimedBy(resource: string, token: number, change: { owner?: string; lineage?: string } = {}) {
  const guard = counter(resource);
  await guard.claim(fence({ election: "job", token, owner: "somebody", ...change }));
  return guard;
}

/** As the guard, but `act` stands before each claim. */
function before(
  guard: Guard<Counter>,
  act: (signal: AbortSignal | undefined) => Promise<void>,
): Guard<Counter> {
  return {
    ...guard,
    async claim(claimant, options) {
      await act(options?.signal);
      return guard.claim(claimant, options);
    },
  };
}

describe("fences", () => {
  it("when elected, claims every resource in the order of their names before the work begins", async () => {
    const scene = new Scene();
    const order: string[] = [];
    const noting = (resource: string) => before(counter(resource), async () => void order.push(resource));
    scene.run({ z: noting("apples"), a: noting("pears"), m: noting("figs") });
    await scene.world.advance(1_000);
    expect(order).toEqual(["apples", "figs", "pears"]);
    expect(scene.tokens).toHaveLength(1);
  });

  it("when resources have seen higher tokens, all are asked and one new term exceeds them all", async () => {
    const scene = new Scene();
    const low = await claimedBy("low", high);
    const top = await claimedBy("top", high + 50);
    scene.run({ low, top });
    await scene.world.advance(5_000);
    expect(scene.tokens).toEqual([high + 51]);
    expect(scene.candidate.events.filter((event) => event.startsWith("lost"))).toEqual(["lost outpaced"]);
    expect(scene.failures).toEqual([]);
  });

  it("when the very token is another's at the resource, the holder takes the next one", async () => {
    const scene = new Scene();
    const guard = counter("ledger");
    let first: number | undefined;
    scene.run({
      ledger: before(guard, async () => {
        if (first !== undefined) return;
        first = scene.candidate.election.leadership?.token ?? 0;
        await guard.claim(fence({ election: "job", token: first, owner: "twin" }));
      }),
    });
    await scene.world.advance(5_000);
    expect(scene.tokens).toEqual([(first ?? 0) + 1]);
  });

  it("when a resource goes on seeing higher tokens, a holder asks for a new one once per ttl", async () => {
    const scene = new Scene();
    const guard = counter("ledger");
    let token = high;
    scene.run({
      ledger: before(guard, async () => {
        token += 10;
        await guard.claim(fence({ election: "job", token, owner: "rival" }));
      }),
    });
    await scene.world.advance(61_000);
    const raised = scene.candidate.events.filter((event) => event === "lost outpaced").length;
    expect(raised).toBeGreaterThanOrEqual(3);
    expect(raised).toBeLessThanOrEqual(6);
    expect(scene.tokens).toEqual([]);
  });

  it("when the resource is another algorithm's, no higher token is taken and the error says whose", async () => {
    const scene = new Scene();
    const foreign = await claimedBy("foreign", 5, { lineage: "default/raft" });
    const stale = await claimedBy("stale", high);
    scene.run({ foreign, stale });
    await scene.world.advance(2_000);
    expect(scene.candidate.events).not.toContain("lost outpaced");
    expect(scene.failures[0]).toMatchObject({ code: "FOREIGN_LINEAGE", lineage: "default/raft" });
    expect(scene.tokens).toEqual([]);
  });

  it("when a resource hangs, the term is given back in time and stood for again", async () => {
    const scene = new Scene();
    scene.run(
      { ledger: before(counter("ledger"), async () => new Promise(() => {})) },
      { claimTimeoutMs: 2_000 },
    );
    await scene.world.advance(2_100);
    expect(scene.failures[0]).toMatchObject({ code: "CLAIM_TIMEOUT" });
    expect(String(scene.failures[0])).toContain('"ledger" was not claimed within 2000 ms');
    expect(scene.candidate.events.slice(1, 3)).toEqual(["lost failed", "released released"]);
    await scene.world.advance(30_000);
    expect(scene.candidate.events.filter((event) => event.startsWith("elected")).length).toBeGreaterThan(1);
  });

  it("when no limit is given, claims may take half of what remains of the term", async () => {
    const scene = new Scene();
    scene.run({ ledger: before(counter("ledger"), async () => new Promise(() => {})) });
    await scene.world.advance(ttlMs / 3 - 10);
    expect(scene.failures).toEqual([]);
    await scene.world.advance(20);
    expect(scene.failures).toHaveLength(1);
  });

  it("when a resource fails and comes back in time, it is claimed and the term goes on", async () => {
    const scene = new Scene();
    let failures = 0;
    const ledger = before(counter("ledger"), async () => {
      failures += 1;
      if (failures <= 3) throw createError(failures === 1 ? "CLAIM_UNCONFIRMED" : "GUARD_FAILED", "not now");
    });
    scene.run({ ledger });
    await scene.world.advance(1_000);
    expect([failures, scene.tokens.length, scene.failures]).toEqual([4, 1, []]);
  });

  it("when a resource fails for good, the work fails at once with its error", async () => {
    const scene = new Scene();
    const ledger = before(counter("ledger"), async () => {
      throw createError("GUARD_ROW_UNREADABLE", "torn");
    });
    scene.run({ ledger });
    await scene.world.advance(100);
    expect(scene.failures).toMatchObject([{ code: "GUARD_ROW_UNREADABLE" }]);
  });

  it("when the term ends during a claim, the work never begins and nothing has failed", async () => {
    const scene = new Scene();
    scene.run(
      { ledger: before(counter("ledger"), async () => new Promise(() => {})) },
      { claimTimeoutMs: 60_000 },
    );
    await scene.world.advance(100);
    await Promise.all([scene.candidate.election.stop(), scene.world.advance(100)]);
    expect([scene.tokens, scene.failures]).toEqual([[], []]);
    expect(scene.candidate.events.slice(1)).toEqual(["lost stopped", "released released"]);
  });

  it("when two guards stand for resources of one name, they are refused before anything is claimed", () => {
    const guards = { one: counter("ledger"), two: counter("ledger") };
    const make = () => fencesOn(createVirtualWorld().createClock(), guards, async () => {}, {});
    expect(make).toThrow(/resource must be a name that no other guard has, got "ledger"/);
  });
});

describe("a write of a leader", () => {
  it("when it is refused as stale in a current term, the term ends and the next token is higher", async () => {
    const world = createVirtualWorld();
    const { election, clock, events } = createCandidate(world, "a", { store: memoryStore(), ttlMs });
    const guard = counter("ledger");
    const errors: unknown[] = [];
    const tokens: number[] = [];
    void election.run(
      fencesOn(
        clock,
        { guard },
        async ({ guard: ledger }, leadership: Leadership) => {
          tokens.push(leadership.token);
          if (tokens.length > 1) return new Promise<void>(() => {});
          await guard.claim(fence({ election: "job", token: high, owner: "rival" }));
          await ledger
            .transaction((tx) => void (tx.value += 1))
            .catch((error: unknown) => errors.push(error));
          errors.push(await leadership.ended);
        },
        {},
      ),
    );
    await world.advance(5_000);
    expect(errors).toMatchObject([{ code: "STALE", watermark: high, owner: "rival" }, "outpaced"]);
    expect(tokens[1]).toBe(high + 1);
    expect(events).toContain("lost outpaced");
    expect((await guard.inspect()).value).toBe(0);
  });

  it("when its term is over and it is refused as stale, nobody takes a higher token for it", async () => {
    const world = createVirtualWorld();
    const store = memoryStore();
    const a = createCandidate(world, "a", { store, ttlMs });
    const guard = counter("ledger");
    const campaign = a.election.campaign();
    await world.advance(100);
    const old = await guard.claim(await campaign);
    a.clock.freeze();
    const b = createCandidate(world, "b", { store, ttlMs });
    const second = b.election.campaign();
    await world.advance(16_000);
    const successor = await guard.claim(await second);
    await successor.transaction((tx) => void (tx.value = 10));
    const refused = await old.transaction((tx) => void (tx.value += 1)).catch((error: unknown) => error);
    expect(TenureError.is(refused, "STALE")).toBe(true);
    a.clock.thaw();
    await world.advance(40_000);
    expect(b.events).toEqual([expect.stringMatching(/^elected/)]);
    expect((await guard.inspect()).value).toBe(10);
  });
});
