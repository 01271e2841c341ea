/**
 * The second generator: it waits for the instants at which a protocol may go wrong, and strikes there.
 *
 * Around deadlines, between a write and its answer, between a check and the write behind it, at every step of a
 * handover, right after a promise. Each world knows a few such edges and nothing else goes wrong in it.
 */

import { type Dice, diceFor } from "../dice.js";
import type { Director } from "../director.js";
import type { Act, CallKind, Fate } from "../faults/fault.js";
import type { HistoryEvent } from "../../history/line.js";
import type { LeaseRecord } from "../../lease/record.js";
import { type Sender, whoOf } from "../world/network.js";
import type { Process } from "../world/process.js";
import type { Entry } from "../world/store-account.js";
import type { CreateDirector, World } from "../world/world.js";
import { type Edge, edges, type EdgeName, type Strike } from "./edge-table.js";

export function aimed(names: readonly EdgeName[]): CreateDirector {
  return (world) => new Aim(world, names);
}

class Aim implements Director, Strike {
  readonly world: World;
  readonly dice: Dice;
  readonly #edges: readonly Edge[];
  /** Fates that are meant for the next call of somebody. */
  readonly #fates = new Map<string, Fate>();
  #resting = true;

  constructor(world: World, names: readonly EdgeName[]) {
    this.world = world;
    this.dice = diceFor(world.seed, "edges");
    this.#edges = names.map((name) => edges[name]);
  }

  begin(): void {
    this.#resting = false;
    for (const edge of this.#edges) edge.begin?.(this);
  }

  end(): void {
    this.#resting = true;
    this.#fates.clear();
    const { leader } = this.world.cast;
    if (leader !== undefined && this.dice.happens(0.4))
      this.world.perform({ verb: "kill", who: whoOf(leader) });
  }

  get idle(): boolean {
    return this.#resting || this.world.calm;
  }

  fate(sender: Sender, call: CallKind): Fate | undefined {
    if (call === "read" && sender.slot === "visitor") return undefined;
    const meant = `${sender.name} ${call}`;
    const fate = this.#fates.get(meant) ?? this.#firstFate(sender, call);
    this.#fates.delete(meant);
    if (fate !== undefined) this.world.perform({ verb: "fate", who: whoOf(sender), call, fate });
    return fate;
  }

  onSent(process: Process, record: LeaseRecord): void {
    if (!this.idle) for (const edge of this.#edges) edge.onSent?.(this, process, record);
  }

  onEntry(entry: Entry): void {
    if (!this.idle) for (const edge of this.#edges) edge.onEntry?.(this, entry);
  }

  onTold(process: Process, event: HistoryEvent): void {
    if (!this.idle) for (const edge of this.#edges) edge.onTold?.(this, process, event);
  }

  /** Never in this very instant: whoever is struck is in the middle of a step. */
  readonly after = (ms: number, act: Act | (() => void)): void => {
    this.world.plans.after(Math.max(ms, 0.01), () => {
      if (this.idle) return;
      if (typeof act === "function") act();
      else this.world.perform(act);
    });
  };

  readonly meet = (process: Process, call: CallKind, fate: Fate): void => {
    this.#fates.set(`${process.name} ${call}`, fate);
  };

  readonly crash = (process: Process, afterMs: number, backAfterMs: number): void => {
    const who = whoOf(process);
    this.after(afterMs, { verb: "kill", who });
    // Also when all faults have ended meanwhile.
    this.world.plans.after(afterMs + backAfterMs, () =>
      this.world.perform({ verb: "start", who: process.slot }),
    );
  };

  #firstFate(sender: Sender, call: CallKind): Fate | undefined {
    for (const edge of this.#edges) {
      const fate = edge.fate?.(this, sender, call);
      if (fate !== undefined) return fate;
    }
    return undefined;
  }
}
