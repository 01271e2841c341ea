/**
 * What this election object knows about the record, and for how long it has not changed.
 *
 * Keeps rule 2 (observed expiry) and the memory that rule 5 asks for: whether the
 * name was ever seen present, and the last ttl seen. Time here is the lower reading:
 * a claim against the holder may only count time that certainly passed.
 */

import { createError, type TenureError } from "../errors/index.js";
import type { CoreConfig, Now } from "./core-types.js";
import type { LeaseRecord } from "./record.js";
import type { Stored } from "./store.js";

/** `rose`: the same holder in the same term raised its seq, which only a living one does. */
export type Change = "same" | "rose" | "changed";

export interface Sighting {
  /** Whether the store has answered at all since this object began to look. */
  answered: boolean;
  stored: Stored | undefined;
  /** First receipt of what is stored now, lower reading. */
  sinceLower: number;
  /** Counts sights: what was learned of one says nothing about the next. */
  count: number;
  /** Last receipt, lower reading: the age that came with it counts from here. */
  receivedLower: number;
  /** Rule 5: absence proves nothing to whoever saw the name present. */
  everPresent: boolean;
  /** Rule 5: the longest wait after absence covers the lease that may have been forgotten. */
  lastTtlMs: number;
  /** Store identity at the last receipt. */
  epoch: string | undefined;
  /** The one before: what tells of that is out of date, as no epoch comes back. */
  formerEpoch: string | undefined;
  /** First receipt of that epoch, lower reading: what the store has forgotten, it had forgotten by then. */
  epochSinceLower: number;
  /** Observers never go back to an older term. */
  highestToken: number;
  /** Whose that is; undefined when two instances were seen with it. */
  highestOf: string | undefined;
}

export function createSighting(now: Now): Sighting {
  return {
    answered: false,
    stored: undefined,
    sinceLower: now.lower,
    count: 0,
    receivedLower: now.lower,
    everPresent: false,
    lastTtlMs: 0,
    epoch: undefined,
    formerEpoch: undefined,
    epochSinceLower: now.lower,
    highestToken: 0,
    highestOf: undefined,
  };
}

/** The record, when it can be read and its ttl is one this store allows (rule 3). */
export function readable(stored: Stored | undefined, config: CoreConfig): LeaseRecord | undefined {
  if (stored === undefined || typeof stored.body === "string") return undefined;
  return stored.body.ttlMs <= config.maxTtlMs ? stored.body : undefined;
}

export function unreadableError(stored: Stored): TenureError {
  if (stored.body === "newer") {
    return createError("RECORD_NEWER", "the record was written by a later version; it counts as held");
  }
  const why = stored.body === "unreadable" ? "is no lease record" : "has a ttl above the store's maxTtlMs";
  return createError("RECORD_UNREADABLE", `what the store holds ${why}; it is never overwritten`);
}

/** Takes in what the store holds, as received now. */
export function receive(
  sighting: Sighting,
  stored: Stored | undefined,
  now: Now,
  config: CoreConfig,
): Change {
  const change = compare(sighting, stored, config);
  sighting.answered = true;
  if (change !== "same") begin(sighting, now);
  sighting.receivedLower = now.lower;
  sighting.stored = stored;
  if (stored !== undefined) {
    sighting.everPresent = true;
    noteEpoch(sighting, stored.epoch, now);
  }
  const record = readable(stored, config);
  if (record !== undefined) sighting.lastTtlMs = record.ttlMs;
  noteToken(sighting, stored, config);
  return change;
}

/** Rule 6: of what may be out of date the token counts all the same. */
export function noteToken(sighting: Sighting, stored: Stored | undefined, config: CoreConfig): void {
  const record = readable(stored, config);
  if (record === undefined || record.token < sighting.highestToken) return;
  if (record.token > sighting.highestToken) sighting.highestOf = record.instance;
  else if (record.instance !== sighting.highestOf) sighting.highestOf = undefined;
  sighting.highestToken = record.token;
}

/** The store said in which epoch it is, and that what was seen is there: a new sight from now on (rules 2 and 5). */
export function receiveEpoch(sighting: Sighting, epoch: string, now: Now): void {
  if (sighting.stored !== undefined) sighting.stored = { ...sighting.stored, epoch };
  beginEpoch(sighting, epoch, now);
}

/** The store is in that epoch. What was seen in another one counts anew, and once more when this one shows it. */
export function beginEpoch(sighting: Sighting, epoch: string, now: Now): void {
  if (sighting.epoch === epoch) return;
  noteEpoch(sighting, epoch, now);
  begin(sighting, now);
}

function noteEpoch(sighting: Sighting, epoch: string, now: Now): void {
  if (sighting.epoch === epoch) return;
  sighting.formerEpoch = sighting.epoch;
  sighting.epoch = epoch;
  sighting.epochSinceLower = now.lower;
}

function begin(sighting: Sighting, now: Now): void {
  sighting.sinceLower = now.lower;
  sighting.count += 1;
}

function compare(sighting: Sighting, stored: Stored | undefined, config: CoreConfig): Change {
  const before = sighting.stored;
  if (before === undefined || stored === undefined) return before === stored ? "same" : "changed";
  // Rule 2: what was observed in one epoch says nothing about another.
  if (before.epoch !== stored.epoch) return "changed";
  const was = readable(before, config);
  const is = readable(stored, config);
  if (was === undefined || is === undefined) return before.version === stored.version ? "same" : "changed";
  if (was.instance !== is.instance || was.token !== is.token) return "changed";
  if (is.seq > was.seq) return "rose";
  // A request or a bid keeps (instance, token, seq): it must not restart the clock (rule 1).
  return is.seq === was.seq && was.state === is.state ? "same" : "changed";
}
