/**
 * What a failed step means.
 *
 * A refusal by name (no permission, no room) is definite: the kernel says that
 * nothing was done. Everything else is unknown. Once the link was made nothing is
 * definite any more, whatever the error is called (`afterLink`).
 */

import { createError } from "../errors/index.js";

/** Answers of link(2) that say that nothing was done. */
const refusals: ReadonlySet<string | undefined> = new Set("EACCES EROFS ENOSPC EDQUOT EMLINK".split(" "));
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

/** A link that the file system cannot make for anybody is no matter of permission; one that broke off may be there. */
export function linkFailed(cause: unknown, directory: string): Error {
  const name = errorName(cause);
  if (refusals.has(name)) return cause as Error;
  if (!noHardLinks.has(name)) return afterLink(cause, directory);
  const message = `the file system of ${directory} makes no hard links (${name})`;
  return createError("STORE_UNSUPPORTED", message, { cause });
}

export function afterLink(cause: unknown, directory: string): Error {
  const message = `a write in ${directory} failed after its link was made, it may count`;
  return createError("STORE_UNREACHABLE", message, { cause });
}
