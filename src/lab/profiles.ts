/** What a seed is made into: by profile, a world and who disturbs it. */

import { noFaults } from "./director.js";
import { diceFor } from "./dice.js";
import { swarm } from "./generators/swarm.js";
import { temperOf } from "./generators/temper.js";
import type { RunPlan } from "./run.js";
import { calmSettings } from "./settings.js";

export interface SeedOptions {
  readonly seed: number;
  readonly faultyMs: number;
  readonly recording: boolean;
}

export function planFor(profile: string, { seed, faultyMs, recording }: SeedOptions): RunPlan {
  const dice = diceFor(seed, "profile");
  if (profile === "calm")
    return { seed, settings: calmSettings, director: noFaults, faultyMs, kind: "safety", recording };
  const temper = temperOf(dice);
  const kind = seed % 4 === 3 ? "liveness" : "safety";
  return { seed, settings: temper.settings, director: swarm(temper), faultyMs, kind, recording };
}
