/**
 * Checks of single options: each failure names option, value and range.
 * Relations between options are checked where the options are resolved.
 */

import { createError, type TenureError } from "../errors/index.js";

/** Values are shown short and never contain more than their first 60 characters. */
function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return String(value);
}

export function optionError(option: string, value: unknown, range: string): TenureError {
  const base = typeof value === "number" ? RangeError : TypeError;
  return createError("INVALID_OPTION", `${option} must be ${range}, got ${show(value)}`, { base });
}

/** Whole milliseconds within [min, max]. */
export function duration(option: string, value: unknown, min: number, max: number): number {
  return whole(option, value, min, max, "a whole number of milliseconds");
}

/** A whole number within [min, max]. */
export function count(option: string, value: unknown, min: number, max: number): number {
  return whole(option, value, min, max, "a whole number");
}

function whole(option: string, value: unknown, min: number, max: number, what: string): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw optionError(option, value, `${what} from ${min} to ${max}`);
}

const ascii = /^[ -~]*$/;

/** A non-empty string of at most `maxBytes` bytes that survives a trip through UTF-8. */
export function text(option: string, value: unknown, maxBytes: number): string {
  const range = `a non-empty, well-formed string of at most ${maxBytes} bytes`;
  if (typeof value !== "string" || value.length === 0) throw optionError(option, value, range);
  // Names mostly are, and each of these characters is one byte.
  if (value.length <= maxBytes && ascii.test(value)) return value;
  const bytes = new TextEncoder().encode(value);
  if (bytes.length > maxBytes || new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) !== value)
    throw optionError(option, value, range);
  return value;
}

const noMetadata: Readonly<Record<string, string>> = Object.freeze({});

/** A flat record of strings whose JSON stays within `maxBytes`. Returns a frozen copy. */
export function metadata(option: string, value: unknown, maxBytes: number): Readonly<Record<string, string>> {
  const range = `an object of strings whose JSON is at most ${maxBytes} bytes`;
  if (value === undefined) return noMetadata;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw optionError(option, value, range);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== "string") throw optionError(`${option}.${key}`, entry, "a string");
  }
  if (new TextEncoder().encode(JSON.stringify(value)).length > maxBytes)
    throw optionError(option, value, range);
  return Object.freeze({ ...(value as Record<string, string>) });
}

export function callable<F extends (...args: never[]) => unknown>(option: string, value: F): F {
  if (typeof value !== "function") throw optionError(option, value, "a function");
  return value;
}

/** One of these texts. */
export function oneOf<const C extends string>(option: string, value: unknown, choices: readonly C[]): C {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw optionError(option, value, choices.map((choice) => `"${choice}"`).join(" or "));
}

/** A misspelt option would silently leave the default in place. */
export function knownOnly(options: object, names: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw optionError("options", options, "an object");
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw createError("INVALID_OPTION", `unknown option ${show(name)}; known are ${names.join(", ")}`, {
      base: TypeError,
    });
  }
}
