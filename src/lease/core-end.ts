/**
 * How a term ends: wanted or not, through the drain to the release (rules 8 and 9).
 *
 * In every case belief is false before anybody is told, the work is told before it is
 * waited for, and nothing is released while it runs.
 */

import type { EndReason, WantedEnd } from "../election/events.js";
import { validBid } from "./core-request.js";
import { type CoreState, emit, type Term, trace } from "./core-state.js";
import { writeOwn } from "./core-write.js";

/** The deadline has passed. Also under the drain: nothing keeps the lease now, the work still has to settle. */
export function expire(state: CoreState, term: Term): void {
  if (term.phase === "leading") trace(state, 3, "deadline");
  lose(state, term, "deadline");
}

/** Rule 8, drain overrun: stop renewing, do not release. */
export function overrun(state: CoreState, term: Term): void {
  trace(state, 8, "overrun");
  term.phase = "ended";
  term.drainUntilUpper = Number.POSITIVE_INFINITY;
  report(state, term, "left-to-expire");
}

/** An involuntary end; of a lease that is being released, only that nothing is left to release. */
export function lose(state: CoreState, term: Term, reason: EndReason): void {
  if (term.phase === "leading") {
    const lateByMs = reason === "deadline" ? state.now.upper - term.deadlineUpper : 0;
    term.drainUntilUpper = state.now.upper + term.drainMs;
    rest(state, term, reason);
    emit(state, { type: "lost", reason, lateByMs });
  }
  term.phase = "ended";
  term.handover = undefined;
  // Only a lease that may still be mine can be given back later.
  if (reason !== "deadline") term.forsaken = true;
  afterWork(state, term);
}

const settleGraceMs = 5;

/** A voluntary end of a term that leads: belief false, then the drain, renewing meanwhile (rule 8). */
export function endTerm(state: CoreState, term: Term, reason: WantedEnd, drainMs: number): void {
  term.phase = "draining";
  term.handover = undefined;
  term.drainUntilUpper = state.now.upper + drainMs;
  rest(state, term, reason);
  trace(state, 8, "voluntary");
  emit(state, { type: "lost", reason, lateByMs: 0 });
  if (term.settled) {
    // Settled work needs no draining write.
    beginRelease(state, term);
  } else {
    // Most work settles as soon as it is told: then there is only one write, the last one.
    term.renewAtUpper = state.now.upper + settleGraceMs;
  }
}

/** The work has settled: nothing of this term runs any more. */
export function settleTerm(state: CoreState, term: Term): void {
  term.settled = true;
  if (term.phase === "draining") beginRelease(state, term);
  else afterWork(state, term);
}

/** After an involuntary end and with settled work: give back what may still be mine, once. */
function afterWork(state: CoreState, term: Term): void {
  if (term.phase !== "ended" || !term.settled) return;
  if (term.forsaken || term.over) finish(state, term, "left-to-expire");
  else beginRelease(state, term);
}

function beginRelease(state: CoreState, term: Term): void {
  term.phase = "releasing";
  term.renewAtUpper = state.now.upper;
  if (term.writing === undefined) release(state, term);
}

/** A store that answers none of these gets no more: the lease expires by itself. */
export const releaseTryCount = 3;

export function release(state: CoreState, term: Term): void {
  term.releaseTries += 1;
  const bid = validBid(term.record);
  // Rule 10: with a bid the lease is offered, without one it is released.
  if (bid !== undefined) writeOwn(state, term, "offered", { offeredTo: bid.instance });
  else writeOwn(state, term, "released", {});
}

/** Rule 9: growing, jittered back-off; a term that lasted a ttl was no failure. */
function rest(state: CoreState, term: Term, reason: EndReason): void {
  const { ttlMs } = state.config;
  // A planned handover is no failure, however short the term was.
  const short = reason !== "transferred" && state.now.lower - term.electedLower < ttlMs;
  state.rest.shortTerms = short ? state.rest.shortTerms + 1 : 1;
  if (short) trace(state, 9, "back-off");
  const pause = Math.min((ttlMs / 20) * 2 ** (state.rest.shortTerms - 1), ttlMs);
  state.rest.notBeforeLower = state.now.lower + pause * (0.5 + state.chance.fraction() / 2);
}

function report(state: CoreState, term: Term, outcome: "released" | "left-to-expire"): void {
  if (term.over) return;
  term.over = true;
  emit(state, { type: "released", outcome });
}

/** Of settled work alone: nothing is written of it any more. */
export function finish(state: CoreState, term: Term, outcome: "released" | "left-to-expire"): void {
  report(state, term, outcome);
  term.phase = "ended";
  state.term = undefined;
}

/** The shell is closing: nothing more will be written. */
export function closeTerm(state: CoreState, term: Term): void {
  lose(state, term, "stopped");
  report(state, term, "left-to-expire");
  state.term = undefined;
}
