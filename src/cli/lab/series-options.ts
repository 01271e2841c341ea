/** Options that say what each seed of a series is, for all verbs of the lab; and the command that repeats one seed. */

import type { PartFiles } from "../../lab/foreign/load.js";
import { aboutProfile, type ProfileName, profileNames } from "../../lab/profiles.js";
import { electsAtSeam, type Series } from "../../lab/series.js";
import { usageError } from "../usage-error.js";
import type { Flags, OptionSpec } from "../verb.js";

const usual: Series = { profile: "default", faultyMs: 600_000, expiry: "observed", parts: {} };
export const highestSeed: number = 2 ** 31 - 1;

/** For all verbs that run worlds. */
export const partOptions: readonly OptionSpec[] = [
  {
    name: "elector",
    kind: "text",
    value: "FILE",
    about: "a module that exports createElector; naive, or tenure for ours at the same seam",
  },
  { name: "store-module", kind: "text", value: "FILE", about: "a module that exports createStore" },
  { name: "guard", kind: "text", value: "FILE", about: "a module that exports createGuard" },
];

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
  ...partOptions,
];

export const profileList: string = profileNames
  .map((name) => `  ${name.padEnd(12)}${aboutProfile(name)}`)
  .join("\n");

const optionOf = { elector: "elector", storeModule: "store-module", guard: "guard" } as const;
const partNames = Object.keys(optionOf) as readonly (keyof PartFiles)[];
/** With an elector at the seam, worlds are made for it: they are disturbed, or they are not. */
const seamProfiles: readonly string[] = [usual.profile, "calm"];

export function seriesOf(flags: Flags): Series {
  const seconds = flags.count("seconds");
  const series: Series = {
    profile: (flags.text("profile") ?? usual.profile) as ProfileName,
    faultyMs: seconds === undefined ? usual.faultyMs : seconds * 1_000,
    expiry: flags.text("expiry") === "store-clock" ? "store-clock" : usual.expiry,
    parts: partsOf(flags),
  };
  if (electsAtSeam(series.parts)) refuseAtSeam(series, flags);
  return series;
}

export function partsOf(flags: Flags): PartFiles {
  const { elector, storeModule, guard } = optionOf;
  return { elector: flags.text(elector), storeModule: flags.text(storeModule), guard: flags.text(guard) };
}

function refuseAtSeam({ parts, profile }: Series, flags: Flags): void {
  const why =
    parts.elector === undefined ? "--guard alone is tried with electors" : "--elector brings what elects";
  for (const other of ["expiry", "algorithm"])
    if (flags.has(other)) throw usageError(`${why}, so --${other} has no say`);
  if (!seamProfiles.includes(profile))
    throw usageError(
      `${why} in worlds made for them: --profile is ${seamProfiles.join(" or ")}, not ${profile}`,
    );
}

/** For tables and headings. */
export function partsNamed(parts: PartFiles): readonly (readonly [option: string, file: string])[] {
  return partNames.flatMap((name) => {
    const file = parts[name];
    return file === undefined ? [] : [[optionOf[name], file] as const];
  });
}

/** The options that make this series, as a shell takes them. */
function seriesArguments(series: Series): readonly string[] {
  const { profile, faultyMs, expiry } = series;
  return [
    ...(profile === usual.profile ? [] : ["--profile", profile]),
    ...(faultyMs === usual.faultyMs ? [] : ["--seconds", String(faultyMs / 1_000)]),
    ...(expiry === usual.expiry ? [] : ["--expiry", expiry]),
    ...partArguments(series.parts),
  ];
}

export function partArguments(parts: PartFiles): readonly string[] {
  return partsNamed(parts).flatMap(([option, file]) => [`--${option}`, quoted(file)]);
}

export function replayCommand(series: Series, seed: number): string {
  return ["tenure lab replay --seed", seed, ...seriesArguments(series)].join(" ");
}

export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
