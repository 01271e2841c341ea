/** The configuration file: one JSON object with the common settings, as texts. */

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { didYouMean } from "./nearest.js";
import type { Terminal } from "./terminal.js";
import { usageError } from "./usage-error.js";

export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
}

const usualName = "tenure.config.json";

/** Undefined when none is named and none lies in the working directory. */
export function readConfigFile(
  named: string | undefined,
  { environment, directory }: Terminal,
  known: readonly string[],
): ConfigFile | undefined {
  const fromEnvironment = environment["TENURE_CONFIG"];
  const asked = named ?? (fromEnvironment === "" ? undefined : fromEnvironment);
  const path = resolve(directory, asked ?? usualName);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if (asked === undefined && isMissing(cause)) return undefined;
    throw usageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return { path, values: valuesOf(text, path, known) };
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

function valuesOf(text: string, path: string, known: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed(text, path))) {
    if (name === "$schema") continue;
    if (!known.includes(name))
      throw usageError(`unknown setting "${name}" in ${path}${didYouMean(name, known)}`);
    if (typeof value !== "string" && typeof value !== "boolean") {
      throw usageError(`"${name}" in ${path} must be a text, such as "15s", or true or false`);
    }
    values.set(name, name === "store" ? besideFile(String(value), path) : String(value));
  }
  return values;
}

function parsed(text: string, path: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw usageError(`${path} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw usageError(`${path} must hold one JSON object`);
}

/** A relative directory is meant from where the file lies, so that the file says the same to everybody. */
function besideFile(store: string, path: string): string {
  const [, directory] = /^file:(?!\/)(.+)$/.exec(store) ?? [];
  return directory === undefined ? store : `file:${resolve(dirname(path), directory)}`;
}
