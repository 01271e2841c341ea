/**
 * The one campaign of an election object: stands through the engine and turns what the
 * sink hears into promises. Knows nothing of users' work.
 */

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
  readonly signal: AbortSignal | undefined;
}

export interface Candidacy {
  readonly workOwner: WorkOwner;
  readonly drainMs: number;
  /** Throws while a campaign is under way; then one is, until `leave`. */
  enter(owner: WorkOwner): void;
  leave(): void;
  /** Stands until there is an outcome. Rejects when the store refuses. Aborting withdraws. */
  stand(stand: Stand, options: StandOptions): Promise<Outcome>;
  /** From the sink. */
  settle(outcome: Outcome): void;
  refuse(cause: unknown): void;
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (cause: unknown) => void;
}

export function createCandidacy(name: string, engine: Engine): Candidacy {
  let waiting: Waiting | undefined;
  let entered = false;
  let workOwner: WorkOwner = "run";
  let drainMs = engine.drainMs;

  function conclude(conclusion: (waiter: Waiting) => void): void {
    const waiter = waiting;
    waiting = undefined;
    if (waiter !== undefined) conclusion(waiter);
  }

  function stand(kind: Stand, options: StandOptions): Promise<Outcome> {
    const { signal } = options;
    if (signal?.aborted === true) return Promise.resolve({ kind: "withdrawn" });
    drainMs = options.drainMs;
    const withdraw = () => engine.withdraw();
    signal?.addEventListener("abort", withdraw, { once: true });
    return new Promise<Outcome>((resolve, reject) => {
      waiting = { resolve, reject };
      engine.stand(kind, drainMs, options.backOff);
    }).finally(() => signal?.removeEventListener("abort", withdraw));
  }

  return {
    get workOwner() {
      return workOwner;
    },
    get drainMs() {
      return drainMs;
    },
    enter(owner) {
      if (entered) throw createError("CAMPAIGN_IN_PROGRESS", `"${name}" is already standing or leading here`);
      entered = true;
      workOwner = owner;
    },
    leave() {
      entered = false;
    },
    stand,
    settle: (outcome) => conclude((waiter) => waiter.resolve(outcome)),
    refuse: (cause) => conclude((waiter) => waiter.reject(cause)),
  };
}
