/**
 * What a failed step means.
 *
 * A refusal by name (no permission, no room) is definite: the kernel says that
 * nothing was done. Everything else is unknown. Once the link was made nothing is
 * definite any more, whatever the error is called (`afterLink`).
 */

import { createError } from "../errors/index.js";

const noHardLinks: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** The system's name of an error, such as "ENOENT". */
export function errorName(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  return typeof cause.code === "string" ? cause.code : undefined;
}

/** This process may not write here. */
export function isRefusal(cause: unknown): boolean {
  const name = errorName(cause);
  return name === "EACCES" || name === "EPERM" || name === "EROFS";
}

/** A link that the file system cannot make for anybody is no matter of permission. */
export function linkFailed(cause: unknown, directory: string): Error {
  if (!noHardLinks.has(errorName(cause))) return cause as Error;
  const message = `the file system of ${directory} makes no hard links (${errorName(cause)})`;
  return createError("STORE_UNSUPPORTED", message, { cause });
}

export function afterLink(cause: unknown, directory: string): Error {
  const message = `a write in ${directory} failed after its link was made, it may count`;
  return createError("STORE_UNREACHABLE", message, { cause });
}
