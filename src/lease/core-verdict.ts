/**
 * Rule 4: what a conflict means for the holder.
 *
 * The store showed another value than the one my write expected. Four answers:
 * the lease is lost for certain; an earlier write of mine has arrived; somebody
 * wrote a request or a bid into it; or nothing can be said.
 */

import type { EndReason } from "../election/events.js";
import type { CoreState, Term, Try } from "./core-state.js";
import { readable, unreadableError } from "./core-sighting.js";
import type { LeaseRecord } from "./record.js";
import type { Stored, Version } from "./store.js";

export type Verdict =
  | { readonly kind: "lost"; readonly reason: EndReason }
  | { readonly kind: "lost-reply"; readonly sent: Try; readonly version: Version; readonly epoch: string }
  | { readonly kind: "retry"; readonly version: Version; readonly record: LeaseRecord }
  | { readonly kind: "unknown"; readonly cause: unknown };

export function judge(state: CoreState, term: Term, current: Stored | undefined): Verdict {
  // Absent: forgotten or deleted. Either way somebody else may be taking it now.
  if (current === undefined) return { kind: "lost", reason: "store-lost" };
  const record = readable(current, state.config);
  if (record === undefined) return { kind: "unknown", cause: unreadableError(current) };
  if (!names(term, record)) return { kind: "lost", reason: "superseded" };
  return judgeOwn(state, term, current, record);
}

export function names({ instance, token }: Term, record: LeaseRecord): boolean {
  return record.instance === instance && record.token === token;
}

/** The record still names this term. */
function judgeOwn(state: CoreState, term: Term, current: Stored, record: LeaseRecord): Verdict {
  const { version, epoch } = current;
  // The store has gone back behind what it acknowledged.
  if (record.seq < term.acked.seq) return { kind: "lost", reason: "store-lost" };
  const sent = term.tries.find((entry) => entry.record.nonce === record.nonce);
  if (sent !== undefined) {
    if (state.config.readBackProves) return { kind: "lost-reply", sent, version, epoch };
    return { kind: "retry", version, record };
  }
  // It told of a conflict, and has carried that out later: on a version that it had gone back to.
  if (term.refused.some(({ nonce }) => nonce === record.nonce)) return { kind: "lost", reason: "store-lost" };
  if (record.writer === term.instance && record.nonce !== term.acked.nonce) {
    // Rule 1: my name, but a nonce I never sent: a clone of this process.
    return { kind: "lost", reason: "duplicate-identity" };
  }
  // The same, under a request or a bid that hides the clone's nonce: whoever else writes keeps the seq.
  if (record.seq > term.seq) return { kind: "lost", reason: "duplicate-identity" };
  if (record.state === "released" || record.state === "offered")
    return { kind: "lost", reason: "superseded" };
  return { kind: "retry", version, record };
}
