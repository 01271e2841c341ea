/**
 * Where a case is played: one world of virtual time, one store, candidates that each have a wire of their own.
 *
 * Counts faults: whatever a wire does but deliver, and what the case reports with `fault`. Keeps every history
 * line, so that the audit can judge beliefs and events of all candidates when the case is over.
 */

import { createVirtualWorld, type VirtualWorld } from "../../src/base/virtual-clock.js";
import type { KeptRecord, ReadHistory } from "../../src/audit/index.js";
import type { Leadership } from "../../src/election/api.js";
import type { CommonOptions } from "../../src/election/options.js";
import type { LeaseOptions } from "../../src/lease/lease.js";
import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";
import { type Fate, type ScriptedStore, scripted, type Seen } from "../../test/support/scripted-store.js";
import { inMemory, type KeptGuard, type Values } from "./keeping.js";
import { type Book, emptyBook, Ledger } from "./ledger.js";
import { type Candidate, createCandidate, until } from "../../test/support/virtual.js";

export interface Actor extends Candidate {
  /** Between this candidate and the store. */
  readonly wire: ScriptedStore;
  readonly node: string;
}

export type ActorOptions = Omit<LeaseOptions, "store"> & Partial<CommonOptions> & { readonly store?: Store };

/** What candidates on a real store wrote: their histories, and for each election the records in that store. */
export interface Left {
  readonly history: ReadHistory;
  readonly records: readonly (readonly KeptRecord[])[];
}

export class Stage {
  readonly world: VirtualWorld = createVirtualWorld();
  /** Every leader of the case writes to it. */
  readonly ledger: Ledger;
  readonly store: Store = memoryStore();
  readonly actors: Actor[] = [];
  /** Ledgers of candidates that are not on the virtual clock. */
  readonly ledgers: Ledger[] = [];
  /** What candidates left behind on a real store; judged like the lines of `actors`. */
  readonly left: Left[] = [];
  /** Undone after the case, whatever its outcome. */
  readonly cleanUps: (() => unknown)[] = [];
  /** Elections whose belief was said to be advisory: two may lead in them, for so long at most, and must have. */
  readonly advisory: Map<string, number> = new Map();
  faultCount = 0;

  /** Resources of the case. */
  readonly values: Values;

  /** `guard`: what keeps the ledger; by default one of `values`, which are in memory by default. */
  constructor(guard?: KeptGuard<Book>, values: Values = inMemory) {
    this.values = values;
    this.ledger = new Ledger(this.world, guard ?? values("ledger", emptyBook));
  }

  /** Something went wrong on purpose. */
  fault(count = 1): void {
    this.faultCount += count;
  }

  wire(store: Store = this.store): ScriptedStore {
    const wire = scripted(store, this.world.createClock());
    let decide: (seen: Seen) => Fate = () => "normal";
    Object.defineProperty(wire, "fate", {
      get: () => (seen: Seen) => {
        const fate = decide(seen);
        if (fate !== "normal") this.fault();
        return fate;
      },
      set(next: (seen: Seen) => Fate) {
        decide = next;
      },
    });
    return wire;
  }

  candidate(node: string, options: ActorOptions = {}): Actor {
    const actor = this.idle(node, options);
    this.ledger.employ(actor);
    return actor;
  }

  /** One that writes nothing, so that no resource tells it that it is over. */
  idle(node: string, { store, ...options }: ActorOptions = {}): Actor {
    const wire = this.wire(store);
    const actor = { ...createCandidate(this.world, node, { ...options, store: wire }), wire, node };
    this.actors.push(actor);
    return actor;
  }

  /** Campaigns and waits for the election. */
  async lead(actor: Actor, limitMs = 60_000): Promise<Leadership> {
    actor.election.campaign().catch(() => {});
    return this.leads(actor, limitMs);
  }

  /** Waits until `actor`, which stands already, leads. */
  async leads(actor: Actor, limitMs = 60_000): Promise<Leadership> {
    await until(this.world, () => actor.election.leadership !== undefined, limitMs);
    const { leadership } = actor.election;
    if (leadership === undefined) throw new Error("the term ended within one step");
    return leadership;
  }

  /** Stands for life; the work lasts as long as the term. */
  stand(actor: Actor): void {
    actor.election.run(async (leadership) => void (await leadership.ended)).catch(() => {});
  }

  /** Waits until somebody of these leads. */
  async someone(actors: readonly Actor[] = this.actors, limitMs = 60_000): Promise<Actor> {
    let leader: Actor | undefined;
    await until(
      this.world,
      () => {
        leader = actors.find(({ election }) => election.leadership !== undefined);
        return leader !== undefined;
      },
      limitMs,
    );
    if (leader === undefined) throw new Error("nobody leads");
    return leader;
  }

  /** Somebody else leads and has claimed the ledger; then comes in what an ended term still had on its way. */
  async supersede(old: Actor): Promise<void> {
    const others = this.actors.filter((actor) => actor !== old);
    if (others.length === 0) {
      const successor = this.candidate("successor");
      others.push(successor);
      this.stand(successor);
    }
    await this.someone(others);
    await this.world.advance(25_000);
  }

  /** The node of every candidate that could act at this instant. */
  leaders(): readonly string[] {
    return this.actors.filter(({ election }) => election.leadership !== undefined).map(({ node }) => node);
  }

  /** Nothing that this candidate sends arrives, nothing is answered. */
  cut(actor: Actor): void {
    actor.wire.fate = () => "hang";
  }

  heal(actor: Actor): void {
    actor.wire.fate = () => "normal";
  }
}

export function terms({ events }: Pick<Candidate, "events">): readonly number[] {
  return events.filter((event) => event.startsWith("elected ")).map((event) => Number(event.slice(8)));
}
