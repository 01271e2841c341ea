/**
 * What one seed's world is like: its store, its clocks, and which faults it knows at which rate.
 *
 * Each world knows only some of the faults: a mistake that one fault would cover up shows where that fault is missing.
 */

import type { Dice } from "../dice.js";
import { fastestRate, type Settings, slowestRate, type Wall } from "../settings.js";

/** What may happen to one call, as probabilities. */
export interface Traffic {
  readonly refused: number;
  readonly lostCall: number;
  readonly lostReply: number;
  readonly lateReply: number;
  readonly lateExecution: number;
  readonly twice: number;
}

const weights = {
  stop: { share: 0.7, weight: 4 },
  block: { share: 0.5, weight: 2 },
  suspend: { share: 0.4, weight: 2 },
  jumpWall: { share: 0.5, weight: 2 },
  jumpBoot: { share: 0.3, weight: 1 },
  jumpMonotonic: { share: 0.3, weight: 1 },
  crash: { share: 0.5, weight: 2 },
  shutDown: { share: 0.4, weight: 1 },
  cut: { share: 0.5, weight: 2 },
  cutAll: { share: 0.3, weight: 1 },
  cutLedger: { share: 0.3, weight: 1 },
  stall: { share: 0.3, weight: 1 },
  transfer: { share: 0.7, weight: 4 },
  resign: { share: 0.6, weight: 2 },
  outpace: { share: 0.3, weight: 1 },
  strayBid: { share: 0.3, weight: 2 },
  attempt: { share: 0.5, weight: 2 },
  ineligible: { share: 0.3, weight: 1 },
  loss: { share: 0.45, weight: 3 },
  failOver: { share: 0.6, weight: 2 },
  spoil: { share: 0.2, weight: 1 },
  clone: { share: 0.25, weight: 3 },
  annotate: { share: 0.2, weight: 1 },
  forget: { share: 0.15, weight: 1 },
  // Outside of what P1 assumes: only where a bias asks for them.
  jumpStore: { share: 0, weight: 2 },
  stopHost: { share: 0, weight: 2 },
} as const;

export type Habit = keyof typeof weights;

/** What a world lacks of what P1 assumes, if anything: judged by the store's clock, which jumps; and so on. */
export type Bias = "none" | "store-clock" | "fail-over" | "drift" | "host-pause";

export interface Temper {
  readonly settings: Settings;
  readonly traffic: Traffic;
  /** What may happen; what is likelier stands there more often. */
  readonly habits: readonly Habit[];
  /** Mean pause between two acts. */
  readonly pauseMs: number;
  /** How likely a successor dies once it has been offered the lease. */
  readonly offerDeaths: number;
}

const slots = ["a", "b", "c"];

const wanted: Readonly<Record<Bias, Habit | undefined>> = {
  none: undefined,
  "store-clock": "jumpStore",
  "fail-over": "failOver",
  drift: undefined,
  "host-pause": "stopHost",
};

export function temperOf(dice: Dice, bias: Bias): Temper {
  const rate = (share: number, most: number) => (dice.happens(share) ? dice.between(most / 4, most) : 0);
  const traffic: Traffic = {
    refused: rate(0.5, 0.06),
    lostCall: rate(0.5, 0.06),
    lostReply: rate(0.5, 0.08),
    lateReply: rate(0.5, 0.1),
    lateExecution: rate(0.45, 0.08),
    twice: rate(0.45, 0.08),
  };
  const met = (Object.keys(weights) as Habit[]).filter(
    (habit) => dice.happens(weights[habit].share) || habit === wanted[bias],
  );
  // Where both clocks of a machine run ahead, nothing on it can tell: that is beyond any bound on rates.
  const known = met.filter((habit) => habit !== "jumpMonotonic" || !met.includes("jumpBoot"));
  return {
    settings: settingsOf(dice, known, bias),
    traffic,
    habits: known.flatMap((habit) => Array.from({ length: weights[habit].weight }, () => habit)),
    pauseMs: dice.between(2_000, 10_000),
    offerDeaths: dice.happens(0.4) ? 0.5 : 0,
  };
}

export function settingsOf(dice: Dice, known: readonly Habit[], bias: Bias): Settings {
  const mixed = dice.happens(0.4);
  const store = dice.pick(["memory", "register", "register", "unproven", "replicated"] as const);
  const byStoreClock = bias === "store-clock" || (!known.includes("loss") && dice.happens(0.5));
  const oneObserves = dice.happens(0.5);
  return {
    slots,
    late: [],
    visitor: true,
    store: bias === "fail-over" ? "replicated" : store,
    acknowledged: bias !== "fail-over",
    ttlsMs: slots.map(() => (mixed ? dice.pick([6_000, 10_000, 15_000]) : 15_000)),
    drainMs: 5_000,
    rates: ratesOf(dice, bias),
    latency: dice.pick([
      { shape: "even", mostMs: 5 },
      { shape: "even", mostMs: 30 },
      { shape: "even", mostMs: 150 },
      { shape: "tailed", mostMs: 300 },
    ] as const),
    hints: dice.happens(0.7),
    byStoreClock: slots.map((_, place) => byStoreClock && !(oneObserves && place === 1)),
    wall: wallOf(dice.fraction()),
    sharedLabel: dice.happens(0.25),
    twins: known.includes("clone"),
    mood: dice.pick(["mixed", "mixed", "steady", "stubborn"]),
    writeEveryMs: dice.pick([1_000, 3_000, 5_000, 5_000]),
    oneResource: false,
    fenced: true,
  };
}

function wallOf(fraction: number): Wall {
  if (fraction < 0.25) return "unset";
  if (fraction < 0.3) return "near-2^31";
  return fraction < 0.35 ? "near-2^32" : "set";
}

function ratesOf(dice: Dice, bias: Bias): readonly number[] {
  const skewed = dice.happens(0.7) || bias === "drift";
  const fastest = bias === "drift" ? slowestRate * 2 : fastestRate;
  return [...slots, "visitor"].map(() => {
    if (!skewed) return 1;
    return dice.happens(0.5) ? dice.pick([slowestRate, fastest]) : dice.between(slowestRate, fastest);
  });
}
