/** Options on the command line, checked against a verb's table. */

import { parseArgs } from "node:util";
import { checkedDuration, parseDuration } from "./duration.js";
import { didYouMean } from "./nearest.js";
import { optionsOf } from "./settings.js";
import { redacted } from "./store-url.js";
import { usageError } from "./usage-error.js";
import { checkedCount } from "./whole-number.js";
import type { Flags, Invocation, OptionSpec, Verb } from "./verb.js";

/** @throws a usage error that names option, value and range. */
export function parseInvocation(verb: Verb, args: readonly string[]): Invocation {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const command = end < 0 ? [] : args.slice(end + 1);
  const specs = optionsOf(verb);
  const types = Object.fromEntries(
    specs.map(({ name, kind }) => [name, { type: kind === "switch" ? "boolean" : "string" } as const]),
  );
  const { tokens } = parseArgs({
    args: [...own],
    options: { ...types, help: { type: "boolean", short: "h" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    else if (token.kind === "option") take(values, specs, token);
  }
  checkPositionals(verb, positionals, command);
  return { verb, flags: flagsOf(values, specs), positionals, command };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function take(values: Map<string, string>, specs: readonly OptionSpec[], token: OptionToken): void {
  const { name, rawName, value } = token;
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) {
    const names = specs.map((candidate) => candidate.name);
    throw usageError(`unknown option ${rawName}${didYouMean(name, names, "--")}`);
  }
  if (values.has(name)) throw usageError(`--${name} is given twice`);
  if (spec.kind === "switch" && value !== undefined) throw usageError(`--${name} takes no value`);
  // `--store --ttl 3s` is a value forgotten, not a store called --ttl.
  const forgotten = value === undefined || (token.inlineValue === false && value.startsWith("--"));
  if (spec.kind !== "switch" && forgotten)
    throw usageError(`--${name} needs a value: --${name} ${spec.value}`);
  values.set(name, value ?? "");
}

function checkPositionals(verb: Verb, found: readonly string[], command: readonly string[]): void {
  const { name, positionals, takesCommand = false } = verb;
  const missing = positionals[found.length];
  if (missing?.startsWith("[") === false)
    throw usageError(`${name} needs ${missing}: see tenure ${name} --help`);
  const extra = positionals.at(-1)?.endsWith("…") ? undefined : found[positionals.length];
  if (extra !== undefined) {
    const advice = takesCommand ? "; what is to be run stands behind --" : "";
    throw usageError(`unexpected argument ${JSON.stringify(redacted(extra))}${advice}`);
  }
  if (takesCommand && command.length === 0)
    throw usageError(`${name} needs a command: tenure ${name} NAME -- command…`);
  if (!takesCommand && command.length > 0)
    throw usageError(`${name} runs no command, so nothing stands behind --`);
}

function flagsOf(values: ReadonlyMap<string, string>, specs: readonly OptionSpec[]): Flags {
  for (const spec of specs) {
    const value = values.get(spec.name);
    if (value !== undefined) checkValue(spec, value);
  }
  return {
    has: (name) => values.has(name),
    text: (name) => values.get(name),
    durationMs(name) {
      const value = values.get(name);
      return value === undefined ? undefined : parseDuration(value);
    },
    count(name) {
      const value = values.get(name);
      return value === undefined ? undefined : Number(value);
    },
  };
}

function checkValue(spec: OptionSpec, value: string): void {
  const option = `--${spec.name}`;
  if (spec.kind === "duration") checkedDuration(option, value, spec);
  if (spec.kind === "count") checkedCount(option, value, spec);
  if (spec.kind !== "choice") return;
  const { choices = [] } = spec;
  if (!choices.includes(value))
    throw usageError(
      `${option} ${JSON.stringify(value)}: one of ${choices.join(", ")}${didYouMean(value, choices)}`,
    );
}
