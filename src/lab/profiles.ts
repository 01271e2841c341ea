/** What a seed is made into: by profile, a world and who disturbs it. */

import { type CreateDirector, noFaults } from "./director.js";
import { type Dice, diceFor } from "./dice.js";
import { swarm } from "./generators/swarm.js";
import { temperOf } from "./generators/temper.js";
import type { Counts } from "./judge/power.js";
import type { RunPlan } from "./run.js";
import { calmSettings, type Settings } from "./settings.js";

export interface SeedOptions {
  readonly seed: number;
  /** How long faults last, ms of simulated time. */
  readonly faultyMs: number;
  /** `store-clock`: all candidates ask the store's clock. */
  readonly expiry?: "observed" | "store-clock";
  readonly recording?: boolean;
}

interface Setting {
  readonly settings: Settings;
  readonly director: CreateDirector;
}

interface Profile {
  readonly about: string;
  readonly floors: Counts;
  make(dice: Dice): Setting;
}

function swarming(dice: Dice): Setting {
  const temper = temperOf(dice);
  return { settings: temper.settings, director: swarm(temper) };
}

const few: Counts = { terms: 100, takeovers: 30, "guarded-writes": 300, claims: 50 };

export type ProfileName = "default" | "swarm" | "calm";

const profiles: Readonly<Record<ProfileName, Profile>> = {
  default: { about: "inside of what the promises assume", floors: few, make: swarming },
  swarm: { about: "random faults of many kinds at random times", floors: few, make: swarming },
  calm: { about: "no faults", floors: {}, make: () => ({ settings: calmSettings, director: noFaults }) },
};

export const profileNames: readonly ProfileName[] = Object.keys(profiles) as ProfileName[];

export function aboutProfile(name: ProfileName): string {
  return profiles[name].about;
}

export function floorsOf(name: ProfileName): Counts {
  return profiles[name].floors;
}

export function planFor(name: ProfileName, options: SeedOptions): RunPlan {
  const { seed, faultyMs, expiry = "observed", recording = false } = options;
  const dice = diceFor(seed, "profile");
  const made = profiles[name].make(dice);
  const all = made.settings.byStoreClock.map(() => true);
  const settings = expiry === "store-clock" ? { ...made.settings, byStoreClock: all } : made.settings;
  const kind = seed % 4 === 3 ? "liveness" : "safety";
  return { seed, settings, director: made.director, faultyMs, kind, recording };
}
