/**
 * What all seeds of a series have in common. Plain data: it goes to worker threads, and comes back as the options of
 * a command that repeats one of them.
 */

import { loadParts, type PartFiles } from "./foreign/load.js";
import { planWith } from "./foreign/plan.js";
import { type ProfileName, planFor } from "./profiles.js";
import type { RunPlan } from "./run.js";

export interface Series {
  readonly profile: ProfileName;
  /** How long each run lasts before it heals, ms. */
  readonly faultyMs: number;
  /** Who judges that a lease has expired. */
  readonly expiry: "observed" | "store-clock";
  /** What stands in the place of ours, by the file that it comes from. */
  readonly parts: PartFiles;
}

export interface SeedWish {
  readonly seed: number;
  /** Keeps what happened for a reader; costs time. */
  readonly recording: boolean;
  /** Called now and then while time passes. */
  readonly onPassed?: () => void;
}

export type Planner = (wish: SeedWish) => RunPlan;

/** Makes plans, always the same one for the same seed. Rejects when a part cannot be loaded. */
export async function plannerOf({ profile, faultyMs, expiry, parts }: Series): Promise<Planner> {
  const brought = await loadParts(parts);
  const isForeign = Object.keys(brought).length > 0;
  return ({ seed, recording, onPassed }) => {
    const own = planFor(profile, { seed, faultyMs, expiry, recording });
    const plan = isForeign ? planWith(brought, own) : own;
    return onPassed === undefined ? plan : { ...plan, onPassed };
  };
}

/** Whether what elects is judged by the answers of its `check()` alone, and brings its own worlds and its own expiry. */
export function electsAtSeam({ elector, storeModule, guard }: PartFiles): boolean {
  return elector !== undefined || (guard !== undefined && storeModule === undefined);
}
