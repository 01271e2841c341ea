/**
 * The state that the parts of the core share, and the few moves they have in common.
 *
 * One object per election. Parts change it in place; only `core.ts` runs a step.
 */

import type { Chance } from "../base/random.js";
import type { Stand } from "../election/algorithm.js";
import type { CoreConfig, Effect, Now } from "./core-types.js";
import type { Rhythm } from "./core-rhythm.js";
import type { Sighting } from "./core-sighting.js";
import { type LeaseRecord, type LeaseRequest, largestToken, recordVersion } from "./record.js";
import type { LeaderView } from "../election/events.js";
import type { Call, Version } from "./store.js";

/** A write whose answer is not known yet. Its nonce in the store is the answer (rule 4). */
export interface Try {
  readonly call: number;
  readonly record: LeaseRecord;
  /** Upper reading before it was sent: a success counts from here (rule 3). */
  readonly sentUpper: number;
}

interface Expected extends Pick<Call, "absence" | "takeover"> {
  readonly version: Version | undefined;
  /** The sight that the newest try was made on. */
  readonly sight: number;
}

export interface Bid {
  readonly call: number;
  readonly purpose: "bid";
  readonly record: LeaseRecord;
}

type Writing = { readonly call: number; readonly purpose: "take" | "undo" } | Bid;

export interface Race {
  readonly stand: Stand;
  readonly instance: string;
  readonly drainMs: number;
  /** Not before this, lower reading: back-off, or the pause after a failed try. */
  notBeforeLower: number;
  /** Unanswered writes that would make me the holder; all expect one and the same version. */
  tries: Try[];
  /** Nonces of every take of this race: what shows one of them is no clone's, however late it comes. */
  readonly nonces: Set<string>;
  /** What the tries expect. */
  expected: Expected | undefined;
  /** The write under way, if any. */
  writing: Writing | undefined;
  seq: number;
  failures: number;
  /** The sight of which the store could not prove that nothing later was forgotten: wait instead (rule 5). */
  unprovenSight: number | undefined;
  /** Calls above this one were sent within this race. */
  readonly sinceCall: number;
  /** The store has answered within this race: a single try answers from what is there now. */
  fresh: boolean;
  /** The holder raised its seq while this race watched: evidence for "held", if it says so (rule 2). */
  sawRise: boolean;
  /** Set when the race is over but a write may still come into force: what to report once it cannot. */
  leaving: Effect | undefined;
  undoTries: number;
  /** Conflicts in a row. */
  conflicts: number;
  /** Request that this candidate answers, and how often it tried. */
  bidFor: string | undefined;
  bidTries: number;
}

/** A request being answered, and until when a bid is waited for (rule 10). */
export interface Handover {
  readonly requestId: string;
  readonly untilUpper: number;
  /** The term ends in any case when the wait is over. */
  readonly resigning: boolean;
  /** What this process asked for itself; every write carries it, as one under way may have left without it. */
  readonly request: LeaseRequest | undefined;
}

export interface Term {
  readonly instance: string;
  readonly token: number;
  readonly electedLower: number;
  /** `leading` believes; `draining` renews for its work; `releasing` waits for one last answer; `ended` waits for its work. */
  phase: "leading" | "draining" | "releasing" | "ended";
  /** What its next write carries on: the own record, with what others wrote into it. */
  record: LeaseRecord;
  version: Version;
  /** End of belief while leading, and of the lease itself while draining; upper reading (rule 3). */
  deadlineUpper: number;
  /** The newest of mine that the store has confirmed. */
  acked: Pick<LeaseRecord, "seq" | "nonce">;
  seq: number;
  /** Its seq when it was elected: no renewal has been sent while `seq` equals it. */
  readonly takenSeq: number;
  tries: Try[];
  /** Nonces of tries that conflicted and that nothing confirmed has followed: found in force, the store has gone back. */
  refused: { readonly seq: number; readonly nonce: string }[];
  writing: number | undefined;
  /** Last send, upper reading. */
  sentUpper: number;
  renewAtUpper: number;
  failures: number;
  /** Conflicts since the last acknowledged write. */
  conflicts: number;
  uncertain: { readonly sinceUpper: number } | undefined;
  settled: boolean;
  drainMs: number;
  drainUntilUpper: number;
  releaseTries: number;
  /** `released` was reported; nothing of this term is written any more. */
  over: boolean;
  /** The record is not ours any more: there is nothing to give back. */
  forsaken: boolean;
  handover: Handover | undefined;
}

export interface Ask {
  readonly id: string;
  /** The holder shall leave also when nobody answers. */
  readonly resign: boolean;
  readonly to: string | undefined;
  /** Holder when the request was written. */
  target: { readonly instance: string; readonly token: number } | undefined;
  writing: { readonly call: number; readonly record: LeaseRecord } | undefined;
  failures: number;
  conflicts: number;
}

export interface CoreState {
  readonly config: CoreConfig;
  readonly chance: Chance;
  now: Now;
  effects: Effect[];
  calls: number;
  /** Calls up to this one were sent before the newest sight came: what their answers show may be older. */
  olderUpTo: number;
  sighting: Sighting;
  rhythm: Rhythm;
  reading: number | undefined;
  /** A hint came while a read was under way. */
  hinted: boolean;
  watching: boolean;
  race: Race | undefined;
  term: Term | undefined;
  ask: Ask | undefined;
  /** Short terms in a row, and when the next campaign may try (rule 9). */
  rest: { shortTerms: number; notBeforeLower: number };
  /** The next token must exceed this (rule 6); raised by `outpaced`. */
  floor: number;
  /** Rule 6: the next campaign takes no earlier than this, lower reading, whatever its kind. */
  raiseLower: number;
  lastError: unknown;
  /** First failure since the last answer, lower reading. */
  silentLower: number | undefined;
  view: LeaderView;
}

export function emit(state: CoreState, effect: Effect): void {
  state.effects.push(effect);
}

export function trace(state: CoreState, rule: number, decision: string): void {
  state.effects.push({ type: "trace", rule, decision });
}

export function nextCall(state: CoreState): number {
  state.calls += 1;
  return state.calls;
}

/**
 * Rule 6: tokens are only ordered. The wall clock seeds them so that they rise across a
 * store that lost its memory; they are never compared with a clock afterwards.
 */
export function nextToken(state: CoreState, current: number): number | undefined {
  // A store that lost its memory does not make this object forget what it has seen.
  const last = Math.max(current, state.sighting.highestToken);
  const seed = state.now.wall < largestToken / 2 ? Math.floor(state.now.wall) : 0;
  const token = Math.max(last + 1, seed, state.floor);
  return token <= largestToken ? token : undefined;
}

/** A record of my own; rule 1: nonce fresh per write, writer is who wrote it. */
export function ownRecord(
  state: CoreState,
  identity: { readonly instance: string; readonly token: number; readonly seq: number },
  fields: Pick<LeaseRecord, "state"> & Partial<LeaseRecord>,
): LeaseRecord {
  return {
    v: recordVersion,
    instance: identity.instance,
    token: identity.token,
    seq: identity.seq,
    writer: identity.instance,
    nonce: state.chance.id(),
    ttlMs: state.config.ttlMs,
    expiry: state.config.expiry,
    node: state.config.node,
    electedAt: state.now.wall,
    metadata: state.config.metadata,
    ...fields,
  };
}

/** What a later write of the same term carries on: labels, what others wrote into it, and what we do not know. */
export function kept(record: LeaseRecord): Partial<LeaseRecord> {
  const { electedAt, ttlMs, expiry, request, bid, follows, unknown } = record;
  return {
    electedAt,
    ttlMs,
    expiry,
    ...(request && { request }),
    ...(bid && { bid }),
    ...(follows && { follows }),
    ...(unknown && { unknown }),
  };
}

export function send(
  state: CoreState,
  record: LeaseRecord,
  expected: Version | undefined,
  absence: Call["absence"] = "waited",
  takeover: Call["takeover"] = "observed",
): Try {
  const call = nextCall(state);
  emit(state, { type: "write", call, record, expected, absence, takeover });
  // The step's instant was taken before the effect is performed, so before the request is sent (rule 3).
  return { call, record, sentUpper: state.now.upper };
}
