/**
 * When a held or draining record counts as expired (rule 2): what was observed, or what the store's clock says.
 *
 * Questions only. The store's clock is asked about no record but one whose holder chose so, and what it is
 * estimated to say here only tells when to try: the store itself judges, inside the atomic step.
 */

import type { CoreState } from "./core-state.js";
import type { LeaseRecord } from "./record.js";

type Known = Pick<CoreState, "config" | "sighting">;

/** Unchanged for its own ttl since it was first received, lower reading. */
export function observedExpiryLower({ sighting }: Known, record: LeaseRecord): number {
  return sighting.sinceLower + record.ttlMs;
}

/** From when on the store's clock may find it old enough, lower reading; infinity where it is not asked. */
export function judgedExpiryLower({ config, sighting }: Known, record: LeaseRecord): number {
  const ageMs = sighting.stored?.ageMs;
  if (record.expiry !== "store-clock" || !config.storeClock || ageMs === undefined)
    return Number.POSITIVE_INFINITY;
  return sighting.receivedLower + record.ttlMs - ageMs;
}

/** Whichever comes first. */
export function expiryLower(known: Known, record: LeaseRecord): number {
  return Math.min(observedExpiryLower(known, record), judgedExpiryLower(known, record));
}

/** What makes a takeover of this record slower than somebody configured; undefined when nothing does. */
export function modeMismatch(known: Known, record: LeaseRecord): string | undefined {
  if (record.expiry === "store-clock") {
    if (Number.isFinite(judgedExpiryLower(known, record))) return undefined;
    return "the holder lets the store's clock judge expiry; this store gives no age, so this candidate observes, which takes longer";
  }
  if (known.config.expiry === "observed") return undefined;
  return "this candidate lets the store's clock judge expiry; the holder does not, so its lease is observed, which takes longer";
}
