/**
 * The lease: a pure state machine, one step per input.
 *
 * Promise P1 (belief): two instances never both believe at one instant, as long as two
 * machines' clock rates differ by less than 1.5 : 1 and the store neither loses nor
 * rolls back an acknowledged write. Non-promise: that a write sent while believing
 * arrives before the next leader's; that is what fencing is for.
 *
 * The numbered rules are those of docs/safety.md; each number stands in the part that
 * keeps it: race (take), term (hold, end), verdict (outcomes), sighting and hear (observation),
 * bid, handover and ask (rule 10). No timer, randomness, promise or I/O is in here.
 */

import type { Chance } from "../base/random.js";
import { answerAsk, askAnswered, beginAsk, considerAsk } from "./core-ask.js";
import { consider } from "./core-race.js";
import { raceDueLower } from "./core-ready.js";
import { beginRace, finishRace, giveUp, raceAnswered, silent } from "./core-take.js";
import { hear, hearEpoch, mayBeOlder } from "./core-hear.js";
import { createRhythm, looked, lookFailed } from "./core-rhythm.js";
import { type Change, createSighting, noteToken, readable, unreadableError } from "./core-sighting.js";
import { type CoreState, emit, nextCall, type Term, trace } from "./core-state.js";
import { closeTerm, endTerm, settleTerm } from "./core-end.js";
import { termAnswered, termDueUpper, tickTerm } from "./core-term.js";
import type { Answer, CoreConfig, Effect, Input, Now } from "./core-types.js";
import { currentView, sameView, viewDueLower } from "./core-view.js";
import { modeMismatch } from "./core-expiry.js";
import { requestHere } from "./core-handover.js";
import type { Stored } from "./store.js";

/** Outside of a step there are none, and nobody may add any. */
const noEffects = Object.freeze([]) as unknown as Effect[];

export class LeaseCore {
  readonly state: CoreState;

  constructor(config: CoreConfig, chance: Chance, start: Now) {
    this.state = createState(config, chance, start);
  }

  /** The effects belong to the caller. */
  step(input: Input, now: Now): Effect[] {
    const { state } = this;
    const effects: Effect[] = [];
    state.now = now;
    state.effects = effects;
    // What has run out is over before anything else is looked at.
    if (state.term !== undefined) tickTerm(state, state.term);
    apply(state, input);
    consider(state);
    considerAsk(state);
    look(state);
    noticeView(state);
    state.effects = noEffects;
    return effects;
  }

  /** When `tick` is due next on either reading; infinity when nothing is. */
  nextTick(): { readonly upper: number; readonly lower: number } {
    return nextTick(this.state);
  }
}

function createState(config: CoreConfig, chance: Chance, start: Now): CoreState {
  return {
    config,
    chance,
    now: start,
    effects: noEffects,
    calls: 0,
    olderUpTo: 0,
    sighting: createSighting(start),
    rhythm: createRhythm(start.lower, config.ttlMs / 6),
    reading: undefined,
    hinted: false,
    watching: false,
    race: undefined,
    term: undefined,
    ask: undefined,
    rest: { shortTerms: 0, notBeforeLower: start.lower },
    floor: 0,
    raiseLower: Number.NEGATIVE_INFINITY,
    lastError: undefined,
    silentLower: undefined,
    view: { kind: "unknown", sinceMs: 0 },
  };
}

function apply(state: CoreState, input: Input): void {
  const { term, race } = state;
  switch (input.type) {
    case "answer":
      return answered(state, input.call, input.answer);
    case "wake":
      return woken(state, term);
    case "stand":
      return beginRace(state, input.stand, input.drainMs, input.backOff);
    case "withdraw":
      return race && finishRace(state, race, { type: "withdrawn" });
    case "watch":
      state.watching = input.on;
      state.rhythm.nextLower = state.now.lower;
      return undefined;
    case "end":
      return term && end(state, term, input);
    case "outpaced":
      return term && outpaced(state, term, input);
    case "settle":
      return term && settleTerm(state, term);
    case "renew":
      if (term?.phase === "leading") term.renewAtUpper = state.now.upper;
      return term && tickTerm(state, term);
    case "ask":
      return beginAsk(state, input.to, input.resign);
    case "retract":
      state.ask = undefined;
      return undefined;
    case "close":
      return term && closeTerm(state, term);
    case "tick":
      return undefined;
  }
}

function end(state: CoreState, term: Term, input: Extract<Input, { type: "end" }>): void {
  if (term.phase !== "leading") return;
  term.drainMs = input.drainMs;
  // With a named successor the term goes on until it has answered (rule 10).
  if (input.to === undefined) endTerm(state, term, input.reason, input.drainMs);
  else if (term.handover === undefined) requestHere(state, term, state.chance.id(), input.to, true);
  // A request is being answered already: whoever bids for it follows, and without a bid this term ends all the same.
  else term.handover = { ...term.handover, resigning: true };
  tickTerm(state, term);
}

/** Rule 6: a token never changes within a term; a higher one is a new term, at most one per ttl. */
function outpaced(state: CoreState, term: Term, input: Extract<Input, { type: "outpaced" }>): void {
  // Also when this very step finds the term over: what a resource has seen stays true.
  state.floor = Math.max(state.floor, input.watermark + 1);
  if (term.phase !== "leading") return;
  // The first raise is taken at once, the next one ttl after it: two elections that share a resource cannot duel.
  state.raiseLower = Math.max(state.now.lower, state.raiseLower + state.config.ttlMs);
  endTerm(state, term, "outpaced", input.drainMs);
  state.rest.notBeforeLower = state.raiseLower;
}

/** Token and epoch count also of an answer that is out of date, or that nobody waits for any more. */
function answered(state: CoreState, call: number, answer: Answer): void {
  if (answer.kind === "read") noteToken(state.sighting, answer.stored, state.config);
  if (answer.kind === "conflict") noteToken(state.sighting, answer.current, state.config);
  if (state.reading === call) lookAnswered(state, call, answer);
  else writeAnswered(state, call, answer);
  hearEpoch(state, answer);
}

function lookAnswered(state: CoreState, call: number, answer: Answer): void {
  state.reading = undefined;
  const older = mayBeOlder(state, call);
  if (answer.kind === "failed") unseen(state, answer);
  else if (answer.kind === "read" && !older) seen(state, call, answer.stored);
  if (state.hinted || older) state.rhythm.nextLower = state.now.lower;
  state.hinted = false;
}

function writeAnswered(state: CoreState, call: number, answer: Answer): void {
  const { term, race, ask } = state;
  // What a conflict shows is a sight like any other (rule 2).
  const awaited = race?.writing?.call === call || ask?.writing?.call === call;
  if (awaited && answer.kind === "conflict") seen(state, call, answer.current);
  if (term !== undefined) termAnswered(state, term, call, answer);
  else if (race !== undefined) raceAnswered(state, race, call, answer);
  if (ask?.writing?.call === call) askAnswered(state, ask, answer);
}

function seen(state: CoreState, call: number, stored: Stored | undefined): void {
  state.lastError = undefined;
  state.silentLower = undefined;
  const change = hear(state, call, stored);
  if (change === undefined) return;
  const { race } = state;
  // A rise is life only against a sight of this very race: what was seen before it may be long ago.
  const ofRace = race !== undefined && call > race.sinceCall;
  const comparable = ofRace && race.fresh;
  if (race !== undefined) race.fresh = ofRace || race.stand === "patient";
  const record = readable(stored, state.config);
  const renews = record?.state === "held" || record?.state === "draining";
  if (race !== undefined && change !== "same") {
    race.sawRise = comparable && change === "rose";
  }
  if (record === undefined && stored !== undefined) unreadable(state, stored, change);
  const mismatch = change === "changed" && renews ? modeMismatch(state, record) : undefined;
  if (mismatch !== undefined) emit(state, { type: "notice", code: "MODE_MISMATCH", message: mismatch });
  looked(state.rhythm, {
    change,
    lower: state.now.lower,
    holder: renews ? { ttlMs: record.ttlMs, seq: record.seq } : undefined,
    fraction: state.chance.fraction(),
  });
}

/** Rule 13: never overwritten. Candidates for life wait for its repair, whoever asked once is told. */
function unreadable(state: CoreState, stored: Stored, change: Change): void {
  const cause = unreadableError(stored);
  state.lastError = cause;
  if (change !== "same") {
    emit(state, { type: "notice", code: cause.code, message: cause.message });
    trace(state, 13, stored.body === "newer" ? "newer" : "unreadable");
  }
  const { race, ask } = state;
  if (race !== undefined && race.stand !== "patient") finishRace(state, race, { type: "refused", cause });
  if (ask !== undefined) answerAsk(state, { kind: "failed", cause });
}

function unseen(state: CoreState, failure: Extract<Answer, { kind: "failed" }>): void {
  state.lastError = failure.cause;
  lookFailed(state.rhythm, state.now.lower, state.chance.fraction());
  if (state.race !== undefined) giveUp(state, state.race, failure);
  if (state.ask !== undefined && silent(state, failure)) {
    answerAsk(state, { kind: "failed", cause: failure.cause });
  }
}

const wakeSpreadMs = 5;
/** Longer than a candidate takes to see a request and answer it. */
const bidPauseMs = 50;

/** A hint: look soon. Followers spread out, so that one release does not call them all at once (rule 11). */
function woken(state: CoreState, term: Term | undefined): void {
  // Who has bid is waited for by the holder, and looks at once.
  const spreadMs = state.race?.bidFor === undefined ? wakeSpreadMs : 0;
  const soon = state.now.lower + spreadMs * state.chance.fraction();
  state.rhythm.nextLower = Math.min(state.rhythm.nextLower, soon);
  // The answer on its way may be older than what the hint is about.
  state.hinted = state.reading !== undefined;
  if (term === undefined) return;
  // A holder learns of requests and bids by its next write, now. Its own take wakes it too; that is no news, and
  // would make all that were elected together renew together.
  const { renewMs } = state.config;
  const calmMs = term.handover === undefined ? renewMs / 10 : Math.min(renewMs / 10, bidPauseMs);
  const ownTake = term.seq === term.takenSeq && state.now.upper < term.sentUpper + calmMs;
  if (ownTake) return;
  // Hints never multiply renewals by more than ten; while a bid is waited for, each one could make a bid conflict.
  term.renewAtUpper = Math.min(term.renewAtUpper, Math.max(state.now.upper, term.sentUpper + calmMs));
  tickTerm(state, term);
}

function curious(state: CoreState): boolean {
  const { term, race, ask, watching } = state;
  if (term !== undefined && term.phase !== "ended") return false;
  return watching || ask !== undefined || (race !== undefined && race.leaving === undefined);
}

/** Followers poll; polling is the truth (rule 2). */
function look(state: CoreState): void {
  if (!curious(state) || state.reading !== undefined || state.now.lower < state.rhythm.nextLower) return;
  state.reading = nextCall(state);
  emit(state, { type: "read", call: state.reading });
}

function noticeView(state: CoreState): void {
  const view = currentView(state);
  if (sameView(view, state.view)) return;
  state.view = view;
  emit(state, { type: "view", view });
}

function nextTick(state: CoreState): { upper: number; lower: number } {
  const { term, race } = state;
  const looking = curious(state) && state.reading === undefined;
  return {
    upper: term === undefined ? Number.POSITIVE_INFINITY : termDueUpper(term),
    lower: Math.min(
      looking ? state.rhythm.nextLower : Number.POSITIVE_INFINITY,
      race !== undefined && term === undefined ? raceDueLower(state, race) : Number.POSITIVE_INFINITY,
      state.watching || state.ask !== undefined ? viewDueLower(state) : Number.POSITIVE_INFINITY,
    ),
  };
}
