/** What a client or the server said, as errors of a store. */

import { createError, type ErrorCode, TenureError } from "../../errors/index.js";
import { firstWord, plain, textOf } from "../../redis/said.js";

/** First word of the server's error, and what it means. Anything else leaves the outcome unknown. */
const codes: Readonly<Record<string, ErrorCode>> = {
  NOAUTH: "STORE_DENIED",
  WRONGPASS: "STORE_DENIED",
  NOPERM: "STORE_DENIED",
  READONLY: "STORE_READ_ONLY",
  NOTPRIMARY: "STORE_READ_ONLY",
  OOM: "STORE_FULL",
  MISCONF: "STORE_READ_ONLY",
  NOREPLICAS: "STORE_READ_ONLY",
  MOVED: "STORE_UNSUPPORTED",
  CROSSSLOT: "STORE_UNSUPPORTED",
  BADMARKER: "STORE_MISMATCH",
  WRONGTYPE: "STORE_MISMATCH",
};

/** Errors of ours and the caller's abort reason pass as they are. */
export function exchangeFailed(cause: unknown, maxTtlMs: number, signal?: AbortSignal): Error {
  if (TenureError.is(cause) || (signal?.aborted === true && cause === signal.reason)) return cause as Error;
  const message = textOf(cause);
  const word = firstWord(message);
  const code = codes[word] ?? "STORE_UNREACHABLE";
  if (word === "BADMARKER") return mismatch(message.slice(message.indexOf("BADMARKER") + 10), maxTtlMs);
  const said = { cause: plain(cause) };
  if (word === "WRONGTYPE")
    return createError(code, "the key of the namespace's marker holds another type", said);
  return createError(code, `the redis store failed: ${message}`, said);
}

/** Why no connection came about. */
export function connectionFailed(cause: unknown): TenureError {
  if (TenureError.is(cause)) return cause;
  const message = textOf(cause);
  const code = codes[firstWord(message)] ?? "STORE_UNREACHABLE";
  return createError(code, `no connection to the Redis server: ${message}`, { cause: plain(cause) });
}

/** The marker that the server showed, against what this process has. */
function mismatch(marker: string, maxTtlMs: number): TenureError {
  const [, made] = /"maxTtlMs":(\d+)/.exec(marker) ?? [];
  const message =
    made === undefined
      ? "the namespace's marker is none of ours; it is never overwritten"
      : `the namespace was made with maxTtlMs ${made}, this process has ${maxTtlMs}`;
  return createError("STORE_MISMATCH", message);
}

export function itemFailed(message: string): TenureError {
  const code = codes[firstWord(message)] ?? "STORE_UNREACHABLE";
  return createError(code, `the redis store refused a write: ${message}`);
}
