/** What a seed is made into: by profile, a world and who disturbs it. */

import { noFaults } from "./director.js";
import { diceFor } from "./dice.js";
import type { Parts } from "./foreign/parts.js";
import { planWith } from "./foreign/plan.js";
import { swarm } from "./generators/swarm.js";
import { temperOf } from "./generators/temper.js";
import type { RunPlan } from "./run.js";
import { calmSettings } from "./settings.js";

export interface SeedOptions {
  readonly seed: number;
  readonly faultyMs: number;
  readonly recording: boolean;
  /** Brought by somebody else: worlds are then such as the ports of these parts allow. */
  readonly parts?: Parts;
}

export function planFor(profile: string, { parts, ...options }: SeedOptions): RunPlan {
  const plan = ownPlan(profile, options);
  return parts === undefined ? plan : planWith(parts, plan);
}

function ownPlan(profile: string, { seed, faultyMs, recording }: Omit<SeedOptions, "parts">): RunPlan {
  const dice = diceFor(seed, "profile");
  if (profile === "calm")
    return { seed, settings: calmSettings, director: noFaults, faultyMs, kind: "safety", recording };
  const temper = temperOf(dice);
  const kind = seed % 4 === 3 ? "liveness" : "safety";
  return { seed, settings: temper.settings, director: swarm(temper), faultyMs, kind, recording };
}
