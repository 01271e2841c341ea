/**
 * What all seeds of a series have in common. Plain data: it goes to worker threads, and comes back as the options of
 * a command that repeats one of them.
 */

import { type ProfileName, planFor } from "./profiles.js";
import type { RunPlan } from "./run.js";

export interface Series {
  readonly profile: ProfileName;
  /** How long each run lasts before it heals, ms. */
  readonly faultyMs: number;
  /** Who judges that a lease has expired. */
  readonly expiry: "observed" | "store-clock";
}

export interface SeedWish {
  readonly seed: number;
  /** Keeps what happened for a reader; costs time. */
  readonly recording: boolean;
  /** Called now and then while time passes. */
  readonly onPassed?: () => void;
}

export type Planner = (wish: SeedWish) => RunPlan;

/** Makes plans, always the same one for the same seed. */
export function plannerOf({ profile, faultyMs, expiry }: Series): Planner {
  return ({ seed, recording, onPassed }) => {
    const plan = planFor(profile, { seed, faultyMs, expiry, recording });
    return onPassed === undefined ? plan : { ...plan, onPassed };
  };
}
