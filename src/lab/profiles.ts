/** What a seed is made into: by profile, a world and who disturbs it. */

import type { CreateDirector } from "./world/world.js";
import { noFaults } from "./director.js";
import { type Dice, diceFor } from "./dice.js";
import type { Parts } from "./foreign/parts.js";
import { planWith, withLateLeaders } from "./foreign/plan.js";
import { withDiskFaults } from "./generators/disk-unrest.js";
import { type EdgeName, edgeNames } from "./generators/edge-table.js";
import { aimed } from "./generators/edges.js";
import { swarm } from "./generators/swarm.js";
import { type Bias, settingsOf, type Temper, temperOf } from "./generators/temper.js";
import { advisoryPower, diskPower, fullPower, somePower } from "./judge/floors.js";
import type { Counts } from "./judge/power.js";
import type { RunPlan } from "./run.js";
import { calmSettings, type Settings } from "./settings.js";

export interface SeedOptions {
  readonly seed: number;
  /** How long faults last, ms of simulated time. */
  readonly faultyMs: number;
  /** `store-clock`: all candidates ask the store's clock, and it jumps, so that belief is advisory. */
  readonly expiry?: "observed" | "store-clock";
  readonly recording?: boolean;
  /** Brought by somebody else: worlds are then such as the ports of these parts allow. */
  readonly parts?: Parts | undefined;
}

interface Setting {
  readonly settings: Settings;
  readonly director: CreateDirector;
}

interface Profile {
  readonly about: string;
  readonly floors: Counts;
  make(seed: number, dice: Dice, bias: Bias): Setting;
}

function swarming(_seed: number, dice: Dice, bias: Bias): Setting {
  const temper = temperOf(dice, bias);
  return { settings: temper.settings, director: swarm(temper) };
}

function edging(_seed: number, dice: Dice, bias: Bias): Setting {
  const names = edgeNames.filter(() => dice.happens(0.3));
  const chosen: readonly EdgeName[] = names.length === 0 ? [dice.pick(edgeNames)] : names;
  const settings = settingsOf(dice, chosen.includes("clone") ? ["clone"] : [], bias);
  return { settings, director: aimed(chosen) };
}

/** Most of a day nothing happens, as in a service that runs well. */
function serving(_seed: number, dice: Dice): Setting {
  const temper = temperOf(dice, "none");
  const quiet: Temper = {
    ...temper,
    settings: { ...calmSettings, hints: true, oneResource: true },
    traffic: Object.fromEntries(Object.keys(temper.traffic).map((kind) => [kind, 0.0005])) as never,
    habits: ["stop", "stop", "block", "crash", "cut", "jumpWall", "transfer", "suspend", "stall"],
    pauseMs: 300_000,
  };
  return { settings: quiet.settings, director: swarm(quiet) };
}

export type ProfileName =
  | "default"
  | "swarm"
  | "edges"
  | "service"
  | "calm"
  | "fail-over"
  | "drift"
  | "host-pause"
  | "disk";

const profiles: Readonly<Record<ProfileName, Profile>> = {
  default: {
    about: "both generators in turn, inside of what the promises assume",
    floors: fullPower,
    make: (seed, dice, bias) => (seed % 2 === 0 ? swarming : edging)(seed, dice, bias),
  },
  swarm: { about: "random faults of many kinds at random times", floors: somePower, make: swarming },
  edges: { about: "faults at the instants where protocols go wrong", floors: somePower, make: edging },
  service: {
    about: "a service as it runs: three candidates, defaults, a fault now and then",
    floors: {},
    make: serving,
  },
  calm: {
    about: "no faults",
    floors: {},
    make: () => ({ settings: calmSettings, director: noFaults }),
  },
  "fail-over": {
    about: "advisory: a replica that did not acknowledge takes over",
    floors: advisoryPower,
    make: (seed, dice) => swarming(seed, dice, "fail-over"),
  },
  drift: {
    about: "advisory: clocks that differ by up to 2 : 1",
    floors: advisoryPower,
    make: (seed, dice) => swarming(seed, dice, "drift"),
  },
  "host-pause": {
    about: "advisory: hosts that stand still with all of their clocks",
    floors: advisoryPower,
    make: (seed, dice) => swarming(seed, dice, "host-pause"),
  },
  disk: {
    about: "the file store and the file guard on one machine, whose power goes and whose disk fails",
    floors: diskPower,
    make: onDisk,
  },
};

/** Ours for directories, on one machine: its disk, and leaders that write late. */
function onDisk(_seed: number, dice: Dice): Setting {
  const temper = temperOf(dice, "none");
  const mood = dice.pick(["mixed", "steady", "stubborn"] as const);
  const settings: Settings = { ...temper.settings, store: "file", acknowledged: false, twins: false, mood };
  // Nobody carries out a system call twice.
  const traffic = { ...temper.traffic, twice: 0 };
  return { settings, director: withDiskFaults(withLateLeaders(swarm({ ...temper, settings, traffic }))) };
}

export const profileNames: readonly ProfileName[] = Object.keys(profiles) as ProfileName[];

export function aboutProfile(name: ProfileName): string {
  return profiles[name].about;
}

export function floorsOf(name: ProfileName): Counts {
  return profiles[name].floors;
}

export function planFor(name: ProfileName, options: SeedOptions): RunPlan {
  const { seed, faultyMs, expiry = "observed", recording = false, parts } = options;
  const dice = diceFor(seed, "profile");
  const kind = dice.happens(0.25) && name !== "service" && name !== "calm" ? "liveness" : "safety";
  const { settings, director } = profiles[name].make(
    seed,
    dice,
    expiry === "store-clock" ? "store-clock" : "none",
  );
  const plan: RunPlan = { seed, settings, director, faultyMs, kind, recording };
  return parts === undefined ? plan : planWith(parts, plan);
}
