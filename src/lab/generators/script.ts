/**
 * The generator that has no luck: it does a list of faults, each at its instant.
 *
 * Done to a world of the same seed and settings, the faults that a run recorded repeat that run: the others plan their
 * acts as this one does, first in their millisecond. What becomes of a call is met by the first call of its kind that
 * its sender sends from then on.
 */

import type { Director } from "../director.js";
import type { CallKind, Fate, Fault } from "../faults/fault.js";
import { type Sender, whoOf } from "../world/network.js";
import type { CreateDirector, World } from "../world/world.js";

type FateFault = Extract<Fault, { verb: "fate" }>;

export function script(faults: readonly Fault[]): CreateDirector {
  return (world) => new Script(world, faults);
}

class Script implements Director {
  readonly #world: World;
  readonly #acts: Fault[];
  readonly #fates: FateFault[];

  constructor(world: World, faults: readonly Fault[]) {
    this.#world = world;
    const inOrder = faults.toSorted((a, b) => a.atMs - b.atMs);
    this.#acts = inOrder.filter(({ verb }) => verb !== "fate");
    this.#fates = inOrder.filter((fault) => fault.verb === "fate");
    for (const atMs of new Set(this.#acts.map((act) => act.atMs)))
      world.time.foremost(atMs, () => this.#actUntil(world.nowMs));
  }

  begin(): void {}

  end(): void {}

  fate(sender: Sender, call: CallKind): Fate | undefined {
    const { nowMs, instantCalls } = this.#world;
    const who = whoOf(sender);
    const others = instantCalls.others(who, call);
    const place = this.#fates.findIndex((fault) => {
      if (fault.call !== call || fault.who !== who) return false;
      return fault.atMs < nowMs || (fault.atMs === nowMs && others >= (fault.others ?? 0));
    });
    const [met] = place < 0 ? [] : this.#fates.splice(place, 1);
    if (met === undefined) return undefined;
    const { atMs: _, others: __, ...act } = met;
    this.#world.perform(act);
    return met.fate;
  }

  #actUntil(untilMs: number): void {
    for (let act = this.#acts[0]; act !== undefined && act.atMs <= untilMs; act = this.#acts[0]) {
      this.#acts.shift();
      const { atMs: _, ...rest } = act;
      this.#world.perform(rest);
    }
  }
}
