/**
 * A term while it lasts: what is due when, and what the answers to its writes mean.
 *
 * Promise: belief ends at the deadline counted from the last confirmed send, at once
 * on a definite loss, and never comes back (P4). After an involuntary end nothing is
 * renewed again, and nothing is released before the work has settled (rule 8).
 */

import { type CoreState, emit, type Race, type Term, trace, type Try } from "./core-state.js";
import { hear } from "./core-hear.js";
import { readable } from "./core-sighting.js";
import { expire, finish, lose, overrun, release, releaseTryCount } from "./core-end.js";
import { meetRequest, waitedForBid } from "./core-handover.js";
import { type Verdict, judge, names } from "./core-verdict.js";
import type { Answer } from "./core-types.js";
import { renew } from "./core-write.js";
import type { Stored, Version } from "./store.js";

interface Won {
  readonly race: Race;
  readonly sent: Try;
  readonly version: Version;
  readonly epoch: string;
}

export function beginTerm(state: CoreState, { race, sent, version, epoch }: Won): void {
  const { record, sentUpper } = sent;
  const { beliefMs, renewMs } = state.config;
  state.term = {
    instance: race.instance,
    token: record.token,
    electedLower: state.now.lower,
    phase: "leading",
    record,
    version,
    // Rule 3: from before the send, not from the reply.
    deadlineUpper: sentUpper + beliefMs,
    acked: record,
    // Tries of the race may still come in; numbers are never used twice.
    seq: race.seq,
    takenSeq: race.seq,
    tries: [],
    refused: [],
    writing: undefined,
    sentUpper,
    // Rule 11: terms that began together do not renew together.
    renewAtUpper: sentUpper + renewMs * (0.5 + state.chance.fraction() / 2),
    failures: 0,
    conflicts: 0,
    uncertain: undefined,
    settled: false,
    drainMs: race.drainMs,
    drainUntilUpper: Number.POSITIVE_INFINITY,
    releaseTries: 0,
    over: false,
    forsaken: false,
    handover: undefined,
  };
  state.reading = undefined;
  // Whoever leads has seen the name present, and must not be taken for the holder when it stands again.
  hear(state, sent.call, { version, epoch, body: record });
  emit(state, {
    type: "elected",
    instance: race.instance,
    token: record.token,
    untilUpper: sentUpper + beliefMs,
  });
}

/** When the term has to act by itself next, upper reading. */
export function termDueUpper(term: Term): number {
  const renewal = renews(term) && term.writing === undefined ? term.renewAtUpper : Number.POSITIVE_INFINITY;
  const retry =
    term.phase === "releasing" && term.writing === undefined ? term.renewAtUpper : Number.POSITIVE_INFINITY;
  const deadline = renews(term) ? term.deadlineUpper : Number.POSITIVE_INFINITY;
  const drain = term.settled ? Number.POSITIVE_INFINITY : term.drainUntilUpper;
  const bid = term.handover?.untilUpper ?? Number.POSITIVE_INFINITY;
  return Math.min(renewal, retry, deadline, drain, bid);
}

function renews(term: Term): boolean {
  return term.phase === "leading" || term.phase === "draining";
}

/** Does what is due. */
export function tickTerm(state: CoreState, term: Term): void {
  const { upper } = state.now;
  // Rule 3: at the deadline belief is over, whatever is still on its way; rule 4: renewals stop too.
  if (renews(term) && upper >= term.deadlineUpper) expire(state, term);
  if (!term.settled && upper >= term.drainUntilUpper) overrun(state, term);
  if (term.handover !== undefined && upper >= term.handover.untilUpper) waitedForBid(state, term);
  if (renews(term) && term.writing === undefined && upper >= term.renewAtUpper) renew(state, term);
  if (term.phase === "releasing" && term.writing === undefined && upper >= term.renewAtUpper)
    release(state, term);
}

export function termAnswered(state: CoreState, term: Term, call: number, answer: Answer): void {
  const current = term.writing === call;
  if (current) term.writing = undefined;
  const sent = term.tries.find((entry) => entry.call === call);
  if (sent === undefined) return;
  if (answer.kind === "failed") {
    if (current) unanswered(state, term, answer.cause);
    return;
  }
  state.lastError = undefined;
  if (answer.kind === "written") {
    acknowledged(state, term, sent, answer.version, answer.epoch);
  } else if (answer.kind === "conflict" && (current || toldLate(state, term, answer.current))) {
    // This very try may be what the store shows: a write delivered twice conflicts with itself, and may be shown again.
    const verdict = judge(state, term, answer.current);
    // So may what lies under something that cannot be read.
    const found = readable(answer.current, state.config);
    if (found !== undefined && found.nonce !== sent.record.nonce) refuse(term, sent);
    judged(state, term, verdict, call, answer.current);
  }
  tickTerm(state, term);
}

/**
 * P4: a definite loss counts at once, also where the try was given up. It was sent after this term had begun, so since
 * then the store has had another record, or none. What still names the term may be older than what is known by now.
 */
function toldLate(state: CoreState, term: Term, current: Stored | undefined): boolean {
  if (!renews(term)) return false;
  const found = readable(current, state.config);
  return current === undefined || (found !== undefined && !names(term, found));
}

function refuse(term: Term, sent: Try): void {
  term.tries = term.tries.filter((entry) => entry !== sent);
  term.refused.push(sent.record);
}

function acknowledged(state: CoreState, term: Term, sent: Try, version: Version, epoch: string): void {
  const { record } = sent;
  term.version = version;
  term.acked = record;
  // Older tries expect a version that is gone. A later one may be in force by now, also when this answer is so late
  // that another write has followed.
  term.tries = term.tries.filter((entry) => entry.call > sent.call);
  term.refused = term.refused.filter((entry) => entry.seq > record.seq);
  term.failures = 0;
  term.conflicts = 0;
  hear(state, sent.call, { version, epoch, body: record });
  if (record.state === "released" || record.state === "offered") finish(state, term, "released");
  else extend(state, term, sent.sentUpper + state.config.beliefMs);
}

/** Rule 3: never moved back by replies out of order; P4: a term whose deadline has passed leads no more by now. */
function extend(state: CoreState, term: Term, untilUpper: number): void {
  term.deadlineUpper = Math.max(term.deadlineUpper, untilUpper);
  if (term.phase !== "leading") return;
  const { instance, token, deadlineUpper } = term;
  emit(state, { type: "extended", instance, token, untilUpper: deadlineUpper });
  if (term.uncertain !== undefined) {
    emit(state, { type: "confirmed", afterMs: state.now.upper - term.uncertain.sinceUpper });
    term.uncertain = undefined;
  }
}

/** Rule 4: unknown is neither success nor loss. Again under a new nonce until the deadline. */
function unanswered(state: CoreState, term: Term, cause: unknown): void {
  state.lastError = cause;
  term.failures += 1;
  term.renewAtUpper = state.now.upper + retryPauseMs(state, term.failures);
  if (term.phase === "leading") {
    emit(state, { type: "renewFailed", cause, remainingMs: term.deadlineUpper - state.now.upper });
    if (term.uncertain === undefined) {
      term.uncertain = { sinceUpper: state.now.upper };
      const confirmedUpper = term.deadlineUpper - state.config.beliefMs;
      emit(state, { type: "uncertain", sinceMs: state.now.upper - confirmedUpper, cause });
    }
  }
  if (term.releaseTries >= releaseTryCount) finish(state, term, "left-to-expire");
}

function judged(
  state: CoreState,
  term: Term,
  verdict: Verdict,
  call: number,
  current: Stored | undefined,
): void {
  trace(state, 4, verdict.kind);
  // A sight like any other (rule 2): this node may be a candidate again soon, and the store may be in another epoch.
  hear(state, call, current);
  if (verdict.kind === "lost") {
    lose(state, term, verdict.reason);
  } else if (verdict.kind === "lost-reply") {
    acknowledged(state, term, verdict.sent, verdict.version, verdict.epoch);
    afterLostReply(state, term, verdict.sent);
  } else if (verdict.kind === "retry") {
    // Rule 10: what others wrote into it is carried on.
    term.version = verdict.version;
    term.record = verdict.record;
    resend(state, term);
    meetRequest(state, term);
  } else {
    unanswered(state, term, verdict.cause);
  }
}

/** What the conflicting write was to say is still to be said; a store that conflicts again and again gets pauses. */
function resend(state: CoreState, term: Term): void {
  term.conflicts += 1;
  term.renewAtUpper = state.now.upper + (term.conflicts === 1 ? 0 : retryPauseMs(state, term.conflicts - 1));
}

/** The write found counts from its send, so the next is due one pause after it, unless the phase has moved on. */
function afterLostReply(state: CoreState, term: Term, sent: Try): void {
  const said = sent.record.state === (term.phase === "leading" ? "held" : "draining");
  if (said) term.renewAtUpper = Math.max(state.now.upper, sent.sentUpper + state.config.renewMs);
  else resend(state, term);
}

function retryPauseMs(state: CoreState, count: number): number {
  const { ttlMs } = state.config;
  return Math.min((ttlMs / 75) * 2 ** (count - 1), ttlMs / 30) * (0.5 + state.chance.fraction() / 2);
}
