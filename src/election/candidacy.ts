/**
 * The one campaign of an election object: stands through the engine and turns what the
 * sink hears into promises. Knows nothing of users' work.
 */

import type { Latch } from "../base/latch.js";
import { createError } from "../errors/index.js";
import type { Engine, Stand } from "./algorithm.js";
import type { HeldBy } from "./api.js";
import type { TermHandle } from "./term.js";

export type Outcome =
  | { readonly kind: "elected"; readonly term: TermHandle }
  | { readonly kind: "held"; readonly by: HeldBy }
  | { readonly kind: "unknown" }
  | { readonly kind: "withdrawn" };

/** Who says that the work of a term has settled: the function that ran it, or the user's `resign()`. */
export type WorkOwner = "run" | "user";

export interface StandOptions {
  readonly drainMs: number;
  readonly backOff: boolean;
  /** Withdraws when it closes. */
  readonly left: Latch;
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (cause: unknown) => void;
}

export class Candidacy {
  readonly #name: string;
  readonly #engine: Engine;
  #waiting: Waiting | undefined;
  #entered = false;
  workOwner: WorkOwner = "run";
  drainMs: number;

  constructor(name: string, engine: Engine) {
    this.#name = name;
    this.#engine = engine;
    this.drainMs = engine.drainMs;
  }

  /** Throws while a campaign is under way; then one is, until `leave`. */
  enter(owner: WorkOwner): void {
    if (this.#entered) {
      throw createError("CAMPAIGN_IN_PROGRESS", `"${this.#name}" is already standing or leading here`);
    }
    this.#entered = true;
    this.workOwner = owner;
  }

  leave(): void {
    this.#entered = false;
  }

  /** Stands until there is an outcome. Rejects when the store refuses. */
  async stand(kind: Stand, { left, drainMs, backOff }: StandOptions): Promise<Outcome> {
    if (left.closed) return { kind: "withdrawn" };
    this.drainMs = drainMs;
    const withdraw = () => this.#engine.withdraw();
    left.add(withdraw);
    try {
      return await new Promise<Outcome>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        this.#engine.stand(kind, drainMs, backOff);
      });
    } finally {
      left.remove(withdraw);
    }
  }

  /** From the sink. */
  settle(outcome: Outcome): void {
    this.#conclude()?.resolve(outcome);
  }

  refuse(cause: unknown): void {
    this.#conclude()?.reject(cause);
  }

  #conclude(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
