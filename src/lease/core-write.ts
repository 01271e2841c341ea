/** What a holder writes: its own record again, one seq higher, on the version it knows. */

import { type CoreState, kept, ownRecord, send, type Term } from "./core-state.js";
import type { LeaseRecord, LeaseState } from "./record.js";

export function renew(state: CoreState, term: Term): void {
  if (term.phase === "draining") writeOwn(state, term, "draining", {});
  else writeOwn(state, term, "held", {});
}

/** Rule 1: only the holder raises `seq`; rule 13: unknown fields stay; rule 3: the ttl stays. */
export function writeOwn(state: CoreState, term: Term, next: LeaseState, fields: Partial<LeaseRecord>): void {
  const request = term.handover?.request;
  term.seq += 1;
  const identity = { instance: term.instance, token: term.token, seq: term.seq };
  const sent = send(
    state,
    ownRecord(state, identity, { ...kept(term.record), ...(request && { request }), ...fields, state: next }),
    term.version,
  );
  term.tries.push(sent);
  term.writing = sent.call;
  term.sentUpper = sent.sentUpper;
  term.renewAtUpper = state.now.upper + state.config.renewMs;
}
