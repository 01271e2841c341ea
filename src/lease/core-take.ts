/**
 * Taking a lease and giving up on it: every write of a candidate that would make it the holder.
 *
 * Promise: believes only its own write, counted from its send; what is no longer wanted
 * is made unable to come into force (rule 12).
 */

import { createError } from "../errors/index.js";
import { bidAnswered } from "./core-bid.js";
import type { Readiness } from "./core-ready.js";
import { hear } from "./core-hear.js";
import { readable, receiveEpoch } from "./core-sighting.js";
import {
  type CoreState,
  emit,
  kept,
  nextToken,
  ownRecord,
  type Race,
  send,
  trace,
  type Try,
} from "./core-state.js";
import { beginTerm } from "./core-term.js";
import type { Stand } from "../election/algorithm.js";
import type { Answer, Effect } from "./core-types.js";
import type { LeaseRecord } from "./record.js";
import type { Call, Stored, Version } from "./store.js";

type Manner = Pick<Call, "absence" | "takeover">;

export function beginRace(state: CoreState, stand: Stand, drainMs: number, backOff: boolean): void {
  state.race = {
    stand,
    // Rule 1: fresh per campaign.
    instance: state.chance.id(),
    drainMs,
    notBeforeLower: Math.max(state.raiseLower, backOff ? state.rest.notBeforeLower : state.now.lower),
    tries: [],
    nonces: new Set(),
    expected: undefined,
    writing: undefined,
    seq: 0,
    failures: 0,
    unprovenSight: undefined,
    sinceCall: state.calls,
    fresh: stand === "patient",
    sawRise: false,
    leaving: undefined,
    undoTries: 0,
    conflicts: 0,
    bidFor: undefined,
    bidTries: 0,
  };
  state.rhythm.nextLower = state.now.lower;
  // The answer to a look from before shows what was there before: it is followed by one of this race.
  state.hinted = state.reading !== undefined;
}

export function take(state: CoreState, race: Race, ready: Extract<Readiness, { kind: "take" }>): void {
  const old = readable(state.sighting.stored, state.config);
  const token = nextToken(state, old?.token ?? 0);
  if (token === undefined) {
    const message = `the record's token ${old?.token} leaves no room below 2^52`;
    finishRace(state, race, { type: "refused", cause: createError("TOKEN_EXHAUSTED", message) });
    return;
  }
  trace(state, ready.rule, decision(old, ready));
  trace(state, 6, tokenDecision(state, old?.token ?? 0, token));
  race.seq += 1;
  // Tries that expect another version can come into force no more (rule 7), and their tokens may be too low by now.
  if (race.expected?.version !== ready.expected) race.tries = [];
  const { absence, takeover } = ready;
  race.expected = { version: ready.expected, absence, takeover, sight: state.sighting.count };
  // A takeover drops request and bid; a confirmed offer says whose request it met (rule 10).
  const follows = old?.state === "offered" && old.offeredTo === race.instance ? old.request?.id : undefined;
  const identity = { instance: race.instance, token, seq: race.seq };
  const record = ownRecord(state, identity, { state: "held", ...(follows === undefined ? {} : { follows }) });
  sentTry(race, send(state, record, ready.expected, absence, takeover));
}

function decision(old: LeaseRecord | undefined, { absence, takeover }: Manner): string {
  if (old === undefined) return `create-${absence}`;
  return takeover === "store-clock" ? `take-${old.state}-judged` : `take-${old.state}`;
}

/** What the token is owed to. */
function tokenDecision(state: CoreState, before: number, token: number): string {
  if (token === state.floor) return "floor";
  if (token === before + 1) return "next";
  return token === state.sighting.highestToken + 1 ? "next-seen" : "seed";
}

/** The answer to a write of the race. */
export function raceAnswered(state: CoreState, race: Race, call: number, answer: Answer): void {
  const writing = race.writing?.call === call ? race.writing : undefined;
  const purpose = writing?.purpose;
  if (writing !== undefined) race.writing = undefined;
  if (writing?.purpose === "bid") return bidAnswered(state, race, writing, answer);
  if (purpose === "undo") return undone(state, race, answer);
  const sent = race.tries.find((entry) => entry.call === call);
  if (answer.kind === "failed") {
    if (purpose === "take") takeFailed(state, race, answer);
  } else if (answer.kind === "unproven") {
    unproven(state, race, call, answer.epoch);
  } else if (answer.kind === "written" && sent !== undefined) {
    taken(state, race, sent, answer.version, answer.epoch);
  } else if (answer.kind === "conflict" && purpose === "take") {
    takeConflicted(state, race, call, answer.current);
  }
}

/** Rule 5: no later lease can be ruled out, so what was tried on this sight is waited for. Other tries may arrive yet. */
function unproven(state: CoreState, race: Race, call: number, epoch: string): void {
  race.tries = race.tries.filter((entry) => entry.call !== call);
  const ofSight = race.expected?.sight === state.sighting.count;
  receiveEpoch(state.sighting, epoch, state.now);
  if (ofSight) race.unprovenSight = state.sighting.count;
  // It was told that this was waited for: a store that asks for more is not asked on and on.
  if (race.expected?.absence !== "waited") return;
  race.failures += 1;
  race.notBeforeLower = state.now.lower + retryPauseMs(state, race.failures);
}

function takeFailed(state: CoreState, race: Race, failure: Failure): void {
  race.failures += 1;
  state.lastError = failure.cause;
  if (giveUp(state, race, failure)) return;
  race.notBeforeLower = state.now.lower + retryPauseMs(state, race.failures);
}

/** A refusal for good ends every campaign; a single try also ends when the store gives no answer. */
export function giveUp(state: CoreState, race: Race, failure: Failure): boolean {
  const hopeless = failure.verdict === "permanent" || (race.stand !== "patient" && silent(state, failure));
  if (hopeless) finishRace(state, race, { type: "refused", cause: failure.cause });
  return hopeless;
}

type Failure = Extract<Answer, { kind: "failed" }>;

/** Whoever asked once has waited long enough: the store refuses, or has not answered for two timeouts. */
export function silent(state: CoreState, failure: Failure): boolean {
  state.silentLower ??= state.now.lower;
  return (
    failure.verdict !== "unknown" || state.now.lower - state.silentLower >= state.config.requestTimeoutMs
  );
}

/** My write is in force. It counts from its send; one that came too late is a ghost (rule 3). */
function taken(state: CoreState, race: Race, sent: Try, version: Version, epoch: string): void {
  const tooLate = state.now.upper >= sent.sentUpper + state.config.beliefMs;
  if (race.leaving !== undefined || tooLate || isOutdone(state, sent.record)) {
    trace(state, 3, tooLate ? "ghost" : "unwanted");
    // Rule 5: whoever was in force itself has seen the name present.
    hear(state, sent.call, { version, epoch, body: sent.record });
    undo(state, race, sent.record, version, "waited");
    return;
  }
  state.race = undefined;
  beginTerm(state, { race, sent, version, epoch });
}

/**
 * Rule 6: a store that forgot may let an old take come into force whose token is below one that was seen since, or is
 * another's too.
 */
function isOutdone({ sighting }: CoreState, { token, instance }: LeaseRecord): boolean {
  const { highestToken, highestOf } = sighting;
  return token < highestToken || (token === highestToken && instance !== highestOf);
}

function takeConflicted(state: CoreState, race: Race, call: number, current: Stored | undefined): void {
  const tooYoung = stillExpected(race, current);
  race.conflicts += 1;
  // One conflict is another's luck; a store that never stops conflicting gets pauses, and so does its clock.
  const pauseCount = tooYoung ? race.conflicts : race.conflicts - 1;
  if (pauseCount > 0) race.notBeforeLower = state.now.lower + retryPauseMs(state, pauseCount);
  const record = readable(current, state.config);
  if (current !== undefined && record?.instance === race.instance) {
    ownFound(state, race, current, record);
    return;
  }
  // What my tries expected is gone, so none of them can come into force any more (rule 7). Unless the store's clock
  // found it too young: another try on it may be judged later.
  race.tries = tooYoung ? race.tries.filter((entry) => entry.call !== call) : [];
}

/** A conflict on the very version that was expected: the store's clock has judged (rule 2). */
function stillExpected({ expected }: Race, current: Stored | undefined): boolean {
  return current !== undefined && current.version === expected?.version;
}

function retryPauseMs(state: CoreState, count: number): number {
  const { ttlMs, renewMs } = state.config;
  return Math.min((ttlMs / 60) * 2 ** (count - 1), renewMs) * (0.5 + state.chance.fraction() / 2);
}

/** The store shows a record of this very candidacy. */
export function ownFound(state: CoreState, race: Race, current: Stored, record: LeaseRecord): void {
  const mine = race.tries.find((entry) => entry.record.nonce === record.nonce);
  if (mine !== undefined && state.config.readBackProves) {
    trace(state, 4, "lost-reply");
    taken(state, race, mine, current.version, current.epoch);
    return;
  }
  const foreign = record.writer === race.instance && !race.nonces.has(record.nonce);
  if (foreign || record.seq > race.seq) {
    // Rule 1: a nonce, or a seq, that I never sent. The twin keeps this identity, I stand again under a fresh one.
    trace(state, 1, "duplicate-identity");
    emit(state, {
      type: "notice",
      code: "DUPLICATE_IDENTITY",
      message: "another process writes as this candidacy",
    });
    restart(state, race);
    return;
  }
  // Rule 12: of a candidate that leaves, it must not stand.
  if (race.leaving !== undefined || isOutdone(state, record)) {
    undo(state, race, record, current.version, "waited");
    return;
  }
  // It is mine, but someone wrote a request into it, or reading back proves nothing: a write of my own decides.
  // Not at once again and again: until then an answer to what was tried before may still come.
  if (state.now.lower < race.notBeforeLower) return;
  // One that is unanswered and expects this very version may be in force already: it is still mine.
  if (race.expected?.version !== current.version) race.tries = [];
  race.seq += 1;
  const next = ownRecord(
    state,
    { instance: race.instance, token: record.token, seq: race.seq },
    {
      ...kept(record),
      state: "held",
    },
  );
  const { count } = state.sighting;
  race.expected = { version: current.version, absence: "waited", takeover: "observed", sight: count };
  sentTry(race, send(state, next, current.version));
}

function sentTry(race: Race, sent: Try): void {
  race.tries.push(sent);
  race.nonces.add(sent.record.nonce);
  race.writing = { call: sent.call, purpose: "take" };
}

/** Rule 12: what is no longer wanted must not come into force later. */
function undo(
  state: CoreState,
  race: Race,
  mine: LeaseRecord,
  version: Version | undefined,
  absence: Call["absence"],
  takeover: Call["takeover"] = "observed",
): void {
  race.undoTries += 1;
  race.seq = Math.max(race.seq, mine.seq) + 1;
  const record = ownRecord(
    state,
    { instance: race.instance, token: mine.token, seq: race.seq },
    { state: "released" },
  );
  race.writing = { call: send(state, record, version, absence, takeover).call, purpose: "undo" };
}

function undone(state: CoreState, race: Race, answer: Answer): void {
  const current = answer.kind === "conflict" ? answer.current : undefined;
  const record = readable(current, state.config);
  const lateArrival = record?.instance === race.instance && record.state === "held";
  if (current !== undefined && lateArrival && race.undoTries < 3) {
    undo(state, race, record, current.version, "waited");
    return;
  }
  if (answer.kind === "failed" || lateArrival || stillExpected(race, current)) {
    unconfirmed(state);
  }
  race.tries = [];
  if (race.leaving === undefined) restart(state, race);
}

/** Same campaign, fresh identity: the old one is spent. */
function restart(state: CoreState, race: Race): void {
  const { stand, drainMs, sawRise, unprovenSight, fresh, sinceCall } = race;
  beginRace(state, stand, drainMs, false);
  if (state.race !== undefined) Object.assign(state.race, { sawRise, unprovenSight, fresh, sinceCall });
  // Two clones that draw the same ids would otherwise find each other again at once, for ever.
  state.rhythm.nextLower = state.now.lower + state.config.ttlMs / 60;
}

/** Ends the race with that report, once nothing of it can come into force any more. */
export function finishRace(state: CoreState, race: Race, report: Effect): void {
  race.leaving ??= report;
  leave(state, race);
}

/**
 * The store shows what the tries expect, in another epoch: it may have forgotten a holder's renewals since. To replace
 * that now would be a take of what was not observed (rule 2); a try that arrives yet expires like any lease.
 */
function cameBack({ sighting }: CoreState, { expected }: Race): boolean {
  if (expected === undefined || expected.sight === sighting.count) return false;
  return sighting.stored !== undefined && sighting.stored.version === expected.version;
}

function unconfirmed(state: CoreState): void {
  emit(state, {
    type: "notice",
    code: "UNDO_UNCONFIRMED",
    message: "an abandoned take may still come into force and expire",
  });
}

export function leave(state: CoreState, race: Race): void {
  if (race.leaving === undefined || race.writing !== undefined) return;
  const [first] = race.tries;
  if (first !== undefined && cameBack(state, race)) {
    unconfirmed(state);
  } else if (first !== undefined && race.expected !== undefined) {
    // Whatever is still on its way expects this version: replacing it makes them all conflict.
    trace(state, 12, "undo");
    const { version, takeover } = race.expected;
    // One tombstone for another makes nobody a leader, so it needs no proof.
    const absence = version === undefined ? race.expected.absence : "waited";
    undo(state, race, first.record, version, absence, takeover);
    return;
  }
  state.race = undefined;
  emit(state, race.leaving);
}
