/** Results of writes, as a resource keeps them: JSON of at most 4 KiB, or nothing. */

import { createError } from "../errors/index.js";
import type { Attempt } from "./fence.js";
import type { KnownOperation } from "./guard.js";
import { longestResultBytes } from "./row.js";

/** Undefined for no result. Throws RESULT_TOO_LARGE. */
export function encodeResult(result: unknown): string | undefined {
  if (result === undefined) return undefined;
  const json = toJson(result);
  if (json !== undefined && new TextEncoder().encode(json).length <= longestResultBytes) return json;
  const what = json === undefined ? "no JSON" : `more than ${longestResultBytes} bytes of JSON`;
  throw createError("RESULT_TOO_LARGE", `the result is ${what}; nothing was written`);
}

/** The result of a write that was applied before. Throws ATTEMPT_APPLIED where it is not kept. */
export function recallResult(attempt: Attempt, { returned, result }: KnownOperation): unknown {
  if (!returned) return undefined;
  if (result !== undefined) return JSON.parse(result);
  const message = `number ${attempt.seq} was applied before; its result is not kept`;
  throw createError("ATTEMPT_APPLIED", message);
}

/** Undefined for what is no JSON: cycles, big integers, functions. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
