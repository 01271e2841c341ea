/** What may be written to a journal, and how much of it is recognised: the options that all journals share. */

import { optionError } from "../base/options.js";
import { createError } from "../errors/index.js";
import { encodeValue } from "../fence/value-guard.js";

export interface JournalLimits {
  /** Upper bound of an entry, in bytes of JSON: 16 to 2^24. Default 64 KiB. */
  readonly maxEntryBytes?: number;
  /** Upper bound of a checkpoint's state, in bytes of JSON: 16 to 2^27. Default 1 MiB. */
  readonly maxStateBytes?: number;
  /**
   * How many operations a checkpoint still recognises of those whose entries it lets go; 64 to 10 000. Default
   * 1 024: their names are kept beside the journal, in a directory even written with each checkpoint.
   */
  readonly rememberOperations?: number;
}

export const limitNames: readonly string[] = ["maxEntryBytes", "maxStateBytes", "rememberOperations"];

/** @throws INVALID_OPTION */
export function resolveLimits(limits: JournalLimits): Required<JournalLimits> {
  return {
    maxEntryBytes: whole("maxEntryBytes", limits.maxEntryBytes ?? 65_536, 16, 2 ** 24),
    maxStateBytes: whole("maxStateBytes", limits.maxStateBytes ?? 1_048_576, 16, 2 ** 27),
    rememberOperations: whole("rememberOperations", limits.rememberOperations ?? 1_024, 64, 10_000),
  };
}

export function whole(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw optionError(option, value, `a whole number from ${min} to ${max}`);
}

/** JSON text. Throws ENTRY_TOO_LARGE, and INVALID_OPTION for what is no JSON. */
export function sized(what: "entry" | "state", value: unknown, limit: number): string {
  const json = encodeValue(what, value);
  const bytes = Buffer.byteLength(json);
  if (bytes <= limit) return json;
  const message = `the ${what} has ${bytes} bytes, the limit is ${limit}; nothing was written`;
  throw createError("ENTRY_TOO_LARGE", message);
}
