/**
 * What one seed's world is like: its store, its clocks, and which faults it knows at which rate.
 *
 * Each world knows only some of the faults: a mistake that one fault would cover up shows where that fault is missing.
 */

import type { Dice } from "./dice.js";

export const maxTtlMs = 15_000;
export const drainMs = 5_000;
export const slotCount = 3;

/** Rates within P1: any two clocks differ by less than 1.5 : 1. */
export const slowestRate = 0.83;
export const fastestRate = 1.23;

/** What may happen to one call, as probabilities. */
export interface Traffic {
  readonly refused: number;
  readonly lostCall: number;
  readonly lostReply: number;
  readonly lateReply: number;
  readonly lateExecution: number;
  readonly twice: number;
}

/** What the hand may do. */
export const acts = [
  "pause",
  "block",
  "suspend",
  "jumpWall",
  "jumpBoot",
  "jumpMonotonic",
  "crash",
  "stop",
  "cut",
  "cutAll",
  "transfer",
  "resign",
  "outpace",
  "strayBid",
  "attempt",
  "ineligible",
  "loss",
  "fork",
] as const;
export type Act = (typeof acts)[number];

export interface Temper {
  /** `memory` is the store that ships; `register` gives versions back after a rollback; `unproven` proves no absence. */
  readonly store: "memory" | "register" | "unproven";
  readonly traffic: Traffic;
  readonly latencyMs: number;
  readonly acts: readonly Act[];
  /** Mean pause between two acts. */
  readonly pauseMs: number;
  readonly ttlsMs: readonly number[];
  readonly rates: readonly number[];
  /** Wall clocks that were never set, so that tokens only count. */
  readonly wallUnset: boolean;
  /** Two candidates with one label. */
  readonly sharedLabel: boolean;
  /** How likely a successor dies once it has been offered the lease. */
  readonly offerDeaths: number;
  readonly hints: boolean;
  /** Candidates that let the store's clock judge expiry, by slot; that clock runs true. */
  readonly byStoreClock: readonly boolean[];
}

const weights: Readonly<Record<Act, { readonly share: number; readonly weight: number }>> = {
  pause: { share: 0.7, weight: 4 },
  block: { share: 0.5, weight: 2 },
  suspend: { share: 0.4, weight: 2 },
  jumpWall: { share: 0.5, weight: 2 },
  jumpBoot: { share: 0.3, weight: 1 },
  jumpMonotonic: { share: 0.2, weight: 1 },
  crash: { share: 0.5, weight: 2 },
  stop: { share: 0.4, weight: 1 },
  cut: { share: 0.5, weight: 2 },
  cutAll: { share: 0.3, weight: 1 },
  transfer: { share: 0.7, weight: 4 },
  resign: { share: 0.6, weight: 2 },
  outpace: { share: 0.3, weight: 1 },
  strayBid: { share: 0.3, weight: 2 },
  attempt: { share: 0.5, weight: 2 },
  ineligible: { share: 0.3, weight: 1 },
  loss: { share: 0.45, weight: 3 },
  fork: { share: 0.35, weight: 3 },
};

/** A third of the worlds; in half of these one slot observes. By the seed, so that the others stay as they were. */
function judgedIn(seed: number, slot: number): boolean {
  return seed % 3 === 0 && (seed % 2 === 0 || slot !== 1);
}

export function temperOf(dice: Dice, seed: number): Temper {
  const rate = (share: number, most: number) => (dice.happens(share) ? dice.between(most / 4, most) : 0);
  const traffic: Traffic = {
    refused: rate(0.6, 0.08),
    lostCall: rate(0.6, 0.08),
    lostReply: rate(0.6, 0.1),
    lateReply: rate(0.6, 0.15),
    lateExecution: rate(0.5, 0.1),
    twice: rate(0.5, 0.1),
  };
  const known = acts.filter((act) => dice.happens(weights[act].share));
  const mixed = dice.happens(0.4);
  const skewed = dice.happens(0.7);
  return {
    store: dice.pick(["memory", "register", "register", "unproven"] as const),
    traffic,
    latencyMs: dice.pick([5, 30, 30, 150]),
    acts: known.flatMap((act) => Array.from({ length: weights[act].weight }, () => act)),
    pauseMs: dice.between(2_000, 8_000),
    ttlsMs: Array.from({ length: slotCount }, () => (mixed ? dice.pick([6_000, 10_000, 15_000]) : 15_000)),
    rates: Array.from({ length: slotCount + 1 }, () => {
      if (!skewed) return 1;
      return dice.happens(0.5)
        ? dice.pick([slowestRate, fastestRate])
        : dice.between(slowestRate, fastestRate);
    }),
    wallUnset: dice.happens(0.25),
    sharedLabel: dice.happens(0.25),
    offerDeaths: dice.happens(0.4) ? 0.5 : 0,
    hints: dice.happens(0.8),
    byStoreClock: Array.from(
      { length: slotCount + 1 },
      (_, slot) => judgedIn(seed, slot) && !known.includes("loss"),
    ),
  };
}
