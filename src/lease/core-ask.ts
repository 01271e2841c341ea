/**
 * Rule 10 on the asker's side: a request written from any process, and how it ended.
 *
 * The asker only reads and writes the record; it may be a candidate, an observer, or
 * the holder itself. It never changes instance, token, seq or ttl (rule 1).
 */

import { type Ask, type CoreState, emit, send, type Term } from "./core-state.js";
import { expiryLower } from "./core-expiry.js";
import { hear } from "./core-hear.js";
import { readable } from "./core-sighting.js";
import { requestHere } from "./core-handover.js";
import { makeRequest } from "./core-request.js";
import type { Answer, AskResult } from "./core-types.js";
import type { LeaseRecord } from "./record.js";

/** Each try may meet a renewal of the holder; ten in a row are no coincidence. */
const askTryCount = 10;
const askFailureCount = 3;

export function beginAsk(state: CoreState, to: string | undefined, resign: boolean): void {
  const id = state.chance.id();
  state.ask = { id, resign, to, target: undefined, writing: undefined, failures: 0, conflicts: 0 };
  state.rhythm.nextLower = state.now.lower;
  const { term } = state;
  if (term?.phase !== "leading") return;
  if (term.handover !== undefined) {
    answerAsk(state, { kind: "superseded" });
    return;
  }
  state.ask.target = { instance: term.instance, token: term.token };
  requestHere(state, term, id, to, resign);
}

export function answerAsk(state: CoreState, result: AskResult): void {
  state.ask = undefined;
  emit(state, { type: "asked", result });
}

/** Looks at the newest sight of the record and moves the request on. */
export function considerAsk(state: CoreState): void {
  const { ask, term, sighting } = state;
  if (ask === undefined || ask.writing !== undefined) return;
  if (term !== undefined && term.phase !== "ended") {
    if (term.phase === "leading") judgeOwnTerm(state, ask, term);
    return;
  }
  if (!sighting.answered) return;
  const record = readable(sighting.stored, state.config);
  const dead = record !== undefined && state.now.lower >= expiryLower(state, record);
  if (ask.target !== undefined) judgeAsked(state, ask, ask.target, record, dead);
  else if (record === undefined || record.state !== "held" || dead) answerAsk(state, { kind: "not-held" });
  else if (record.request !== undefined) answerAsk(state, { kind: "superseded" });
  else writeRequest(state, ask, record);
}

function judgeOwnTerm(state: CoreState, ask: Ask, term: Term): void {
  if (ask.target?.token !== term.token) {
    // Asked of another, and followed by this very process.
    answerAsk(state, successor(ask, term.record));
  } else if (term.handover?.requestId !== ask.id) {
    // The wait for a bid is over, or another request took its place.
    answerAsk(state, { kind: term.handover === undefined ? "no-candidate" : "superseded" });
  }
}

/** A new term: it came by this request, or by other ways. */
function successor(ask: Ask, record: LeaseRecord): AskResult {
  const { node, token, follows } = record;
  if (follows === ask.id) return { kind: "transferred", to: node, token };
  return { kind: ask.resign ? "resigned" : "superseded" };
}

function writeRequest(state: CoreState, ask: Ask, record: LeaseRecord): void {
  const { bid: _, ...rest } = record;
  const { id, to, resign } = ask;
  const request = makeRequest(resign ? "resign" : "transfer", id, state.config.node, to);
  const asked: LeaseRecord = { ...rest, writer: id, nonce: state.chance.id(), request };
  ask.writing = { call: send(state, asked, state.sighting.stored?.version).call, record: asked };
}

export function askAnswered(state: CoreState, ask: Ask, answer: Answer): void {
  const written = ask.writing;
  ask.writing = undefined;
  if (answer.kind === "written" && written !== undefined) {
    const { version, epoch } = answer;
    const { call, record } = written;
    hear(state, call, { version, epoch, body: record });
    ask.target = { instance: record.instance, token: record.token };
  } else if (answer.kind === "conflict") {
    const record = readable(state.sighting.stored, state.config);
    // My request may be what is there: a reply that was lost, or a write delivered twice.
    if (record?.request?.id === ask.id) ask.target = { instance: record.instance, token: record.token };
    else if ((ask.conflicts += 1) >= askTryCount) answerAsk(state, { kind: "superseded" });
  } else if (answer.kind === "failed") {
    ask.failures += 1;
    if (ask.failures >= askFailureCount) answerAsk(state, { kind: "failed", cause: answer.cause });
  }
}

function judgeAsked(
  state: CoreState,
  ask: Ask,
  target: { readonly instance: string; readonly token: number },
  record: LeaseRecord | undefined,
  dead: boolean,
): void {
  if (record === undefined || dead) return answerAsk(state, { kind: "not-held" });
  if (record.instance !== target.instance || record.token !== target.token) {
    return answerAsk(state, successor(ask, record));
  }
  if (record.state === "released") {
    return answerAsk(state, { kind: ask.resign ? "resigned" : "superseded" });
  }
  if (record.state !== "held" || record.request?.id === ask.id) return undefined;
  return answerAsk(state, { kind: record.request === undefined ? "no-candidate" : "superseded" });
}
