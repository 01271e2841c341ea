/**
 * The settings that all verbs share, and where each comes from: option, environment, file, default.
 *
 * What `tenure run` sets for its command (`TENURE_ELECTION`, `TENURE_NODE`,
 * `TENURE_FENCING_TOKEN`) is never read here: a `tenure` inside that command would
 * otherwise stand under the name of the one outside.
 */

import { checkedDuration } from "./duration.js";
import { type ConfigFile, readConfigFile } from "./config-file.js";
import { longestTtlMs, shortestTtlMs } from "../lease/store.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage-error.js";
import type { Invocation, OptionSpec, SettingName, Verb } from "./verb.js";

interface SettingSpec extends OptionSpec {
  readonly name: SettingName;
  readonly variable: string | undefined;
  readonly fallback: string | undefined;
}

export interface Origin {
  readonly kind: "flag" | "environment" | "file" | "default";
  /** The option, the variable, the path of the file; empty for a default. */
  readonly name: string;
}

export interface Effective {
  readonly name: SettingName;
  /** As people write it; undefined when there is none. */
  readonly text: string | undefined;
  readonly origin: Origin;
}

export interface Settings {
  readonly store: string | undefined;
  readonly namespace: string;
  readonly node: string | undefined;
  readonly ttlMs: number;
  readonly drainMs: number;
  readonly local: boolean;
  readonly effective: readonly Effective[];
  readonly file: string | undefined;
}

const settingSpecs: readonly SettingSpec[] = [
  {
    name: "store",
    kind: "text",
    value: "URL",
    variable: "TENURE_STORE",
    fallback: undefined,
    about: "where the lease lives: file:PATH, redis://HOST:PORT, or memory: for tests",
  },
  {
    name: "namespace",
    kind: "text",
    value: "NAME",
    variable: "TENURE_NAMESPACE",
    fallback: "default",
    about: "separates tenants of one store",
  },
  {
    name: "node",
    kind: "text",
    value: "NAME",
    variable: undefined,
    fallback: undefined,
    about: "what this candidate is called (default: host name, process id and a random part)",
  },
  {
    name: "ttl",
    kind: "duration",
    value: "DURATION",
    variable: "TENURE_TTL",
    fallback: "15s",
    min: shortestTtlMs,
    max: longestTtlMs,
    about: "how long others respect a leader that shows no life",
  },
  {
    name: "drain",
    kind: "duration",
    value: "DURATION",
    variable: "TENURE_DRAIN",
    fallback: "10s",
    min: 0,
    max: 3_500_000,
    about: "from the first signal to SIGKILL, when leadership is given up",
  },
  {
    name: "local",
    kind: "switch",
    variable: "TENURE_LOCAL",
    fallback: "false",
    about: "in Kubernetes: accept a store that only this pod sees",
  },
];

const configOption: OptionSpec = {
  name: "config",
  kind: "text",
  value: "FILE",
  about: "settings as JSON (default: TENURE_CONFIG, then ./tenure.config.json if it is there)",
};

/** Every option of a verb: its own first, then the common ones. */
export function optionsOf(verb: Verb): readonly OptionSpec[] {
  const common = settingSpecs
    .filter(({ name }) => verb.settings.includes(name))
    .map((spec) => ({ ...spec, about: aboutOf(spec) }));
  return [...verb.options, ...common, ...(common.length === 0 ? [] : [configOption])];
}

function aboutOf({ about, variable, fallback, kind }: SettingSpec): string {
  const notes = [
    ...(fallback === undefined || kind === "switch" ? [] : [`default: ${fallback}`]),
    ...(variable === undefined ? [] : [variable]),
  ];
  return notes.length === 0 ? about : `${about} (${notes.join(", ")})`;
}

/** @throws a usage error that names the option, variable or place in the file. */
export function resolveSettings({ verb, flags }: Invocation, terminal: Terminal): Settings {
  const { environment } = terminal;
  const file = readConfigFile(
    flags.text("config"),
    terminal,
    settingSpecs.map(({ name }) => name),
  );
  const effective = settingSpecs
    .filter(({ name }) => verb.settings.includes(name))
    .map((spec) => resolveOne(spec, flags, environment, file));
  const textOf = (name: SettingName) => effective.find((entry) => entry.name === name)?.text;
  const msOf = (name: "ttl" | "drain") => {
    const spec = settingSpecs.find((entry) => entry.name === name);
    const { text = spec?.fallback ?? "0", origin } = effective.find((entry) => entry.name === name) ?? {};
    return checkedDuration(whereOf(name, origin), text, spec ?? {});
  };
  return {
    store: textOf("store"),
    namespace: textOf("namespace") ?? "default",
    node: textOf("node"),
    ttlMs: msOf("ttl"),
    drainMs: msOf("drain"),
    local: textOf("local") === "true",
    effective,
    file: file?.path,
  };
}

function resolveOne(
  spec: SettingSpec,
  flags: Invocation["flags"],
  environment: Terminal["environment"],
  file: ConfigFile | undefined,
): Effective {
  const { name, variable, fallback, kind } = spec;
  if (flags.has(name)) {
    const text = kind === "switch" ? "true" : flags.text(name);
    return checked(spec, { name, text, origin: { kind: "flag", name: `--${name}` } });
  }
  const fromEnvironment = variable === undefined ? undefined : environment[variable];
  if (variable !== undefined && fromEnvironment !== undefined && fromEnvironment !== "") {
    return checked(spec, { name, text: fromEnvironment, origin: { kind: "environment", name: variable } });
  }
  const fromFile = file?.values.get(name);
  if (file !== undefined && fromFile !== undefined) {
    return checked(spec, { name, text: fromFile, origin: { kind: "file", name: file.path } });
  }
  return { name, text: fallback, origin: { kind: "default", name: "" } };
}

function checked(spec: SettingSpec, effective: Effective): Effective {
  const { name, kind } = spec;
  const { text = "", origin } = effective;
  const where = whereOf(name, origin);
  if (kind === "duration") checkedDuration(where, text, spec);
  if (kind === "text" && text === "") throw usageError(`${where}: it is empty`);
  if (kind !== "switch") return effective;
  const value = { "1": "true", true: "true", "0": "false", false: "false" }[text];
  if (value === undefined) throw usageError(`${where} ${JSON.stringify(text)}: 1, true, 0 or false`);
  return { ...effective, text: value };
}

function whereOf(name: SettingName, origin: Origin | undefined): string {
  return origin?.kind === "file" ? `"${name}" in ${origin.name}` : (origin?.name ?? name);
}
