/** What became of a write. */

import { TenureError } from "tenure";
import { WriteFailure } from "./set/place.mjs";

/** @typedef {{ readonly kind: "acknowledged" } | { readonly kind: import("./work-line.mjs").Denied, readonly code: string, readonly why: string }} Outcome */

/**
 * @param {() => Promise<void>} write
 * @returns {Promise<Outcome>} rejects with what no resource answers
 */
export async function settle(write) {
  try {
    await write();
    return { kind: "acknowledged" };
  } catch (cause) {
    if (!TenureError.is(cause) && !(cause instanceof WriteFailure)) throw cause;
    const { code, outcome, message: why } = cause;
    if (outcome === "unknown") return { kind: "unknown", code, why };
    return { kind: code === "STALE" || code === "CONFLICT" ? "refused" : "failed", code, why };
  }
}

/**
 * An answer that was lost is asked for again, once.
 *
 * @param {(again: import("tenure").Attempt | undefined) => Promise<void>} write
 */
export async function writeAgain(write) {
  try {
    await write(undefined);
  } catch (cause) {
    if (!TenureError.is(cause, "GUARD_UNCONFIRMED")) throw cause;
    try {
      await write(cause.attempt);
    } catch (second) {
      // Whatever the second time is refused for, the first may have been applied.
      throw TenureError.is(second) ? cause : second;
    }
  }
}
