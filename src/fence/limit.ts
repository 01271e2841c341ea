/** How long a step of a resource may take: as long as its options say, and no longer than the term. */

import type { Claimant } from "./fence.js";

/** A term that drains has nothing left and writes to its end all the same. */
const leastMs = 1_000;

/** What a step of this claimant may take, ms: no longer than its term, as far as the claimant tells. */
export function limitOf({ timeoutMs }: { readonly timeoutMs: number }, claimant: Claimant): number {
  const remainingMs = claimant.remainingMs?.() ?? timeoutMs;
  return Math.min(timeoutMs, Math.max(leastMs, Math.ceil(remainingMs)));
}
