/** Errors of steps on the file system, as errors of a store. */

import { errorName } from "../../chain/failures.js";
import { createError, type ErrorCode, TenureError } from "../../errors/index.js";

const codes: Readonly<Record<string, ErrorCode>> = {
  EACCES: "STORE_DENIED",
  EPERM: "STORE_DENIED",
  EROFS: "STORE_READ_ONLY",
  ENOSPC: "STORE_FULL",
  EDQUOT: "STORE_FULL",
};

/** Maps the error of a step before the link; errors of ours and the caller's abort reason pass as they are. */
export function stepFailed(cause: unknown, directory: string, signal: AbortSignal): Error {
  if (TenureError.is(cause) || (signal.aborted && cause === signal.reason)) return cause as Error;
  const name = errorName(cause);
  const code = (name === undefined ? undefined : codes[name]) ?? "STORE_UNREACHABLE";
  return createError(code, `the file store in ${directory} failed (${name ?? "no system error"})`, { cause });
}
