/** What a refusal means to the caller, as an error. */

import { createError, type TenureError } from "../errors/index.js";
import type { Attempt, Fence } from "./fence.js";
import type { Refusal } from "./guard.js";

/**
 * `doubted`: an earlier send of this attempt has an unknown outcome, which this refusal does not settle. `cause`: what
 * the resource's own client made of the refusal.
 */
export function refusalError(
  resource: string,
  fence: Fence,
  refusal: Refusal,
  attempt?: Attempt,
  doubted = false,
  cause?: unknown,
): TenureError {
  const { code, ...facts } = refusal;
  return createError(code, `"${resource}" ${say(fence, refusal, attempt)}`, {
    fields: attempt === undefined ? facts : { ...facts, attempt },
    ...(doubted ? { outcome: "unknown" } : {}),
    ...(cause === undefined ? {} : { cause }),
  });
}

function say(fence: Fence, refusal: Refusal, attempt: Attempt | undefined): string {
  switch (refusal.code) {
    case "STALE":
      return `was claimed under token ${refusal.watermark}, above ${fence.token}`;
    case "CONFLICT":
      return `was claimed under token ${fence.token} by another owner, ${refusal.owner}`;
    case "FOREIGN_LINEAGE":
      return `is fenced by ${refusal.lineage}, not by ${fence.lineage}`;
    case "CLAIM_MISSING":
      return `does not know the claim of token ${fence.token}: it was emptied or put back`;
    case "SEQUENCE_REUSED":
      return `has applied another operation as number ${attempt?.seq} of token ${fence.token}`;
    case "SEQUENCE_GAP":
      return `expects number ${refusal.expected} of token ${fence.token}, not ${attempt?.seq}`;
    default:
      return `no longer knows whether number ${attempt?.seq} of token ${fence.token} was applied`;
  }
}
