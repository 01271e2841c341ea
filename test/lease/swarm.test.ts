/**
 * Random worlds over the shipped core, runner and election layer: P1 while faults last, P3 after they end.
 *
 * Each node has its own clock (rate, jumps, sleep), its own wire to the store (lost, late and repeated calls,
 * late execution) and may be stopped and continued. Within the assumptions of P1 nothing may overlap.
 */

import { describe, expect, it } from "vitest";
import { createVirtualWorld, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { type Fate, scripted, type Seen } from "../support/scripted-store.js";
import { type Candidate, createCandidate } from "../support/virtual.js";

const ttlMs = 15_000;
const nodeCount = 3;
const faultyMs = 240_000;
const seedCount = 60;

/** Mulberry32: small, fast, and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Node {
  readonly candidate: Candidate;
  frozen: boolean;
  /** Settles at once while running, and at the thaw while stopped. */
  running: Promise<void>;
  thaw: () => void;
}

/** A stopped process reads no reply before it goes on. */
function behind(wire: Store, running: () => Promise<void>): Store {
  const afterThaw = async <T>(answer: Promise<T>): Promise<T> => {
    const settled = await Promise.allSettled([answer]);
    await running();
    const [result] = settled;
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
  return {
    ...wire,
    read: (key, call) => afterThaw(wire.read(key, call)),
    write: (key, record, expected, call) => afterThaw(wire.write(key, record, expected, call)),
  };
}

class Swarm {
  readonly #random: () => number;
  readonly world: VirtualWorld = createVirtualWorld();
  readonly nodes: Node[] = [];
  readonly tokens: number[] = [];
  faulty = true;
  power = { terms: 0, freezes: 0, transfers: 0, lostReplies: 0, lateExecutions: 0, jumps: 0 };

  constructor(seed: number) {
    this.#random = generator(seed);
    const store = memoryStore();
    for (let index = 0; index < nodeCount; index += 1) this.nodes.push(this.#node(`n${index}`, store));
  }

  #node(name: string, store: Store): Node {
    const wire = scripted(store, this.world.createClock(), {
      // A stopped process hears nothing; polling has to do.
      watch: (keys, wake, signal) => store.watch?.(keys, (key) => node.frozen || wake(key), signal),
    });
    wire.fate = (seen) => this.#fate(seen);
    const gated = behind(wire, () => node.running);
    const candidate = createCandidate(this.world, name, { store: gated, ttlMs, drainMs: 5_000 });
    const node: Node = { candidate, frozen: false, running: Promise.resolve(), thaw: () => {} };
    // Rates within P1: any two clocks differ by less than 1.5 : 1.
    const rate = 0.83 + this.#random() * 0.4;
    for (const reading of ["monotonic", "boot", "wall"] as const) candidate.clock.setRate(reading, rate);
    candidate.election.on("elected", ({ token }) => {
      this.power.terms += 1;
      this.tokens.push(token ?? 0);
      this.checkBelief();
    });
    void candidate.election.run(async (leadership) => {
      await leadership.ended;
      if (this.#random() < 0.3)
        await new Promise<void>((resolve) => candidate.clock.setTimer(this.#random() * 8_000, resolve));
    });
    return node;
  }

  #fate(seen: Seen): Fate {
    if (!this.faulty) return "normal";
    const dice = this.#random();
    if (dice < 0.06) return { fail: new Error("reset") };
    if (dice < 0.1) return "hang";
    if (dice < 0.16) {
      this.power.lostReplies += 1;
      return "lose-reply";
    }
    if (dice < 0.22) return { replyAfterMs: this.#random() * 12_000 };
    if (dice < 0.28 && seen.kind === "write") {
      this.power.lateExecutions += 1;
      return { executeAfterMs: this.#random() * 20_000 };
    }
    return { replyAfterMs: this.#random() * 30 };
  }

  checkBelief(): void {
    const believers = this.nodes.filter(
      (node) => !node.frozen && node.candidate.election.leadership !== undefined,
    );
    expect(believers.length, `believers at ${this.world.nowMs}`).toBeLessThanOrEqual(1);
  }

  #disturb(): void {
    const node = this.nodes[Math.floor(this.#random() * nodeCount)];
    if (node === undefined) return;
    const { clock, election } = node.candidate;
    const dice = this.#random();
    if (dice < 0.25) {
      if (node.frozen) return;
      node.frozen = true;
      node.running = new Promise((resolve) => {
        node.thaw = resolve;
      });
      clock.freeze();
      this.power.freezes += 1;
      this.world.createClock().setTimer(this.#random() * 25_000, () => this.#thaw(node));
    } else if (dice < 0.35) {
      clock.jump("wall", (this.#random() - 0.5) * 7_200_000);
      this.power.jumps += 1;
    } else if (dice < 0.45 && !node.frozen) {
      this.power.transfers += 1;
      election.transfer().catch(() => {});
    } else if (dice < 0.5 && !node.frozen) {
      void election.leadership?.resign();
    }
  }

  #thaw(node: Node): void {
    node.frozen = false;
    node.thaw();
    node.candidate.clock.thaw();
    // Sometimes the work looks before anything else does, sometimes the pending reply comes first.
    if (this.#random() < 0.5) this.checkBelief();
  }

  async run(): Promise<void> {
    for (let elapsed = 0; elapsed < faultyMs; elapsed += 100) {
      await this.world.advance(100);
      if (this.#random() < 0.03) this.#disturb();
      this.checkBelief();
    }
    this.faulty = false;
    for (const node of this.nodes) this.#thaw(node);
    await this.world.advance(6 * ttlMs);
    const leaders = this.nodes.filter(({ candidate }) => candidate.election.leadership !== undefined);
    expect(leaders, "after the last fault exactly one leads").toHaveLength(1);
    expect(this.tokens, "tokens rise in real time").toEqual(this.tokens.toSorted((a, b) => a - b));
    expect(new Set(this.tokens).size, "no token twice").toBe(this.tokens.length);
  }
}

describe("swarm", () => {
  it(`when ${seedCount} random worlds run within the assumptions, nothing overlaps and each heals`, async () => {
    const total = new Map<string, number>();
    for (let seed = 1; seed <= seedCount; seed += 1) {
      const swarm = new Swarm(seed);
      try {
        await swarm.run();
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause });
      }
      for (const [name, count] of Object.entries(swarm.power))
        total.set(name, (total.get(name) ?? 0) + count);
    }
    for (const [name, count] of total) expect(count, name).toBeGreaterThan(seedCount);
  }, 120_000);
});
