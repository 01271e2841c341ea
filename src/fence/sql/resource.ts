/** A guarded resource in a database: where it is, how it is fenced, how long anything may take. */

import type { Claimant } from "../fence.js";
import type { ResolvedSqlOptions } from "./options.js";
import type { Site } from "./transaction.js";

export interface SqlResource<T> extends Site<T> {
  readonly options: ResolvedSqlOptions;
}

/** A term that drains has nothing left and writes to its end all the same. */
const leastMs = 1_000;

/** What a transaction of this claimant may take, ms: no longer than its term, as far as the claimant tells. */
export function limitOf({ timeoutMs }: Pick<ResolvedSqlOptions, "timeoutMs">, claimant: Claimant): number {
  const remainingMs = claimant.remainingMs?.() ?? timeoutMs;
  return Math.min(timeoutMs, Math.max(leastMs, Math.ceil(remainingMs)));
}
