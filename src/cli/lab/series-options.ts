/** Options that say what each seed of a series is, for all verbs of the lab; and the command that repeats one seed. */

import { aboutProfile, type ProfileName, profileNames } from "../../lab/profiles.js";
import type { Series } from "../../lab/series.js";
import type { Flags, OptionSpec } from "../verb.js";

const usual: Series = { profile: "default", faultyMs: 600_000, expiry: "observed" };
export const highestSeed: number = 2 ** 31 - 1;

export const seriesOptions: readonly OptionSpec[] = [
  {
    name: "profile",
    kind: "choice",
    value: "NAME",
    choices: profileNames,
    about: `what the worlds are like: ${profileNames.join(", ")} (default: ${usual.profile})`,
  },
  {
    name: "seconds",
    kind: "count",
    value: "S",
    min: 1,
    max: 86_400,
    about: `how long each run lasts, in simulated seconds, 1 to 86400 (default: ${usual.faultyMs / 1_000})`,
  },
  {
    name: "algorithm",
    kind: "choice",
    value: "NAME",
    choices: ["lease"],
    about: "what elects: lease",
  },
  {
    name: "expiry",
    kind: "choice",
    value: "HOW",
    choices: ["observed", "store-clock"],
    about: "who judges that a lease has expired: observed (the default), or store-clock",
  },
];

export const profileList: string = profileNames
  .map((name) => `  ${name.padEnd(12)}${aboutProfile(name)}`)
  .join("\n");

export function seriesOf(flags: Flags): Series {
  const seconds = flags.count("seconds");
  return {
    profile: (flags.text("profile") ?? usual.profile) as ProfileName,
    faultyMs: seconds === undefined ? usual.faultyMs : seconds * 1_000,
    expiry: flags.text("expiry") === "store-clock" ? "store-clock" : usual.expiry,
  };
}

export function replayCommand({ profile, faultyMs, expiry }: Series, seed: number): string {
  return [
    `tenure lab replay --seed ${seed}`,
    ...(profile === usual.profile ? [] : [`--profile ${profile}`]),
    ...(faultyMs === usual.faultyMs ? [] : [`--seconds ${faultyMs / 1_000}`]),
    ...(expiry === usual.expiry ? [] : [`--expiry ${expiry}`]),
  ].join(" ");
}
