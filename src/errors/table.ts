/**
 * The code table: every error the library can raise, once.
 *
 * `docs/errors.md` is generated from it. A code is a caller's decision, so each
 * says whether the outcome is known and what a retry would bring. Codes are
 * never renamed or given another meaning; new ones may be added.
 */

export interface ErrorFacts {
  /** What happened, in one sentence. */
  readonly meaning: string;
  /** `definite`: it did not happen. `unknown`: it may have happened, or may still. */
  readonly outcome: "definite" | "unknown";
  /** `never` the same call again · `later`, after a pause · `now` is sensible. */
  readonly retry: "never" | "later" | "now";
  /** What the caller can do. */
  readonly advice: string;
}

export type ErrorCode =
  | "INVALID_OPTION"
  | "CAMPAIGN_IN_PROGRESS"
  | "ELECTION_STOPPED"
  | "LEADERSHIP_LOST"
  | "ENSURE_UNCONFIRMED"
  | "STORE_TIMEOUT"
  | "STORE_UNREACHABLE"
  | "STORE_DENIED"
  | "STORE_READ_ONLY"
  | "STORE_FULL"
  | "STORE_UNSUPPORTED"
  | "STORE_MISMATCH"
  | "STORE_CLOSED"
  | "RECORD_UNREADABLE"
  | "RECORD_NEWER"
  | "RECORD_TOO_LARGE"
  | "TOKEN_EXHAUSTED"
  | "STALE"
  | "CONFLICT"
  | "FOREIGN_LINEAGE"
  | "CLAIM_MISSING"
  | "CLAIM_TIMEOUT"
  | "CLAIM_BLOCKED"
  | "CLAIM_UNCONFIRMED"
  | "SEQUENCE_REUSED"
  | "SEQUENCE_GAP"
  | "ATTEMPT_PENDING"
  | "ATTEMPT_TOO_OLD"
  | "ATTEMPT_APPLIED"
  | "WRITE_QUEUE_FULL"
  | "RESULT_TOO_LARGE"
  | "VALUE_TOO_LARGE"
  | "GUARD_FAILED"
  | "GUARD_UNCONFIRMED"
  | "GUARD_CONTENDED"
  | "GUARD_ROW_UNREADABLE"
  | "GUARD_TABLES_MISSING"
  | "GUARD_UNSUITABLE"
  | "FENCE_CHANGED"
  | "ACT_UNCONFIRMED"
  | "ENTRY_TOO_LARGE"
  | "JOURNAL_UNREADABLE"
  | "JOURNAL_TRIMMED"
  | "TICKS_UNREADABLE"
  | "TICKS_LOST";

/** What some errors carry besides the common fields. `attempt` is handed back to send the same write again. */
export interface ErrorFields {
  STALE: { readonly watermark: number; readonly owner: string };
  CONFLICT: { readonly watermark: number; readonly owner: string };
  FOREIGN_LINEAGE: { readonly lineage: string };
  CLAIM_BLOCKED: { readonly blockers: readonly ClaimBlocker[] };
  ATTEMPT_PENDING: { readonly attempt: SentAttempt };
  GUARD_UNCONFIRMED: { readonly attempt: SentAttempt };
  /** What fences by now; null where nothing does. */
  FENCE_CHANGED: {
    readonly found: { readonly lineage: string; readonly watermark: number; readonly owner: string } | null;
  };
  JOURNAL_TRIMMED: { readonly upTo: number };
}

/** A numbered write, as `tenure/fence` names it. */
export interface SentAttempt {
  readonly resource: string;
  readonly seq: number;
  readonly opId: string;
}

/** A session of a server that holds what a claim waits for. */
export interface ClaimBlocker {
  /** As the server numbers it: a process or connection id. */
  readonly session: number;
  /** In whose name it holds the lock. */
  readonly token: number;
  /** When its transaction began, by the server's clock, ISO 8601; absent where the role may not see it. */
  readonly since?: string;
}

export const errorTable: Readonly<Record<ErrorCode, ErrorFacts>> = {
  INVALID_OPTION: {
    meaning: "An option has a value outside its range, or contradicts another option.",
    outcome: "definite",
    retry: "never",
    advice: "The message names option, value and range. Nothing was sent.",
  },
  CAMPAIGN_IN_PROGRESS: {
    meaning: "This election object is already standing or leading.",
    outcome: "definite",
    retry: "never",
    advice: "Use one election object per campaign; create another for another candidate.",
  },
  ELECTION_STOPPED: {
    meaning: "The election object was stopped.",
    outcome: "definite",
    retry: "never",
    advice: "Create a new election; a stopped one never stands again.",
  },
  LEADERSHIP_LOST: {
    meaning: "The term this leadership stood for has ended.",
    outcome: "definite",
    retry: "never",
    advice: "Stop the work of the term. A new term brings a new leadership and a higher token.",
  },
  ENSURE_UNCONFIRMED: {
    meaning: "The asked remaining time could not be confirmed with the store in time.",
    outcome: "definite",
    retry: "later",
    advice: "Still leading, but with less time left than asked for: do not start the step.",
  },
  STORE_TIMEOUT: {
    meaning: "The store did not answer within requestTimeoutMs.",
    outcome: "unknown",
    retry: "now",
    advice: "The election retries by itself. Look at the store's latency if it repeats.",
  },
  STORE_UNREACHABLE: {
    meaning: "The store could not be reached, or failed without a clear answer.",
    outcome: "unknown",
    retry: "later",
    advice: "The election retries by itself. The cause is attached.",
  },
  STORE_DENIED: {
    meaning: "The store refuses this process: permission or credentials.",
    outcome: "definite",
    retry: "later",
    advice: "Grant the permissions of a candidate, listed on the store's page.",
  },
  STORE_READ_ONLY: {
    meaning: "The store accepts no writes.",
    outcome: "definite",
    retry: "later",
    advice: "Point the election at a writable store.",
  },
  STORE_FULL: {
    meaning: "The store has no room for another write.",
    outcome: "definite",
    retry: "later",
    advice: "Free space or raise the quota. Leaders step down at their deadline meanwhile.",
  },
  STORE_UNSUPPORTED: {
    meaning: "The store cannot keep the promises the election needs.",
    outcome: "definite",
    retry: "never",
    advice: "Choose a store for this situation; the message says what is missing.",
  },
  STORE_MISMATCH: {
    meaning: "The store's marker was written with other settings than this process has.",
    outcome: "definite",
    retry: "never",
    advice: "Give every process of the namespace the same maxTtlMs.",
  },
  STORE_CLOSED: {
    meaning: "The store object was closed.",
    outcome: "definite",
    retry: "never",
    advice: "Stop elections before you close their store.",
  },
  RECORD_UNREADABLE: {
    meaning: "The record of this election is not a lease record, or breaks its limits.",
    outcome: "definite",
    retry: "never",
    advice: "It is never overwritten. Find out what wrote it, then repair it by hand.",
  },
  RECORD_NEWER: {
    meaning: "The record was written by a newer version whose header this one cannot read.",
    outcome: "definite",
    retry: "later",
    advice: "Update this process. Until then it neither takes the lease nor says who holds it.",
  },
  RECORD_TOO_LARGE: {
    meaning: "The record would exceed 16 KiB.",
    outcome: "definite",
    retry: "never",
    advice: "Shorten node or metadata.",
  },
  TOKEN_EXHAUSTED: {
    meaning: "The next fencing token would exceed 2^52.",
    outcome: "definite",
    retry: "never",
    advice: "Some process issued an absurd token; the record needs an operator's repair.",
  },
  STALE: {
    meaning: "The resource was claimed under a higher fencing token.",
    outcome: "definite",
    retry: "never",
    advice:
      "Stop the work of this term: somebody newer leads, or led. A current holder is given a higher token.",
  },
  CONFLICT: {
    meaning: "The resource was claimed under this very token by another owner.",
    outcome: "definite",
    retry: "never",
    advice: "Stop the work of this term. A current holder is given a higher token.",
  },
  FOREIGN_LINEAGE: {
    meaning: "The resource is fenced by another algorithm or namespace, whose tokens do not compare.",
    outcome: "definite",
    retry: "never",
    advice: "Two elections write to one resource, or the algorithm was changed: an operator has to decide.",
  },
  CLAIM_MISSING: {
    meaning: "The resource does not know this claim: it was emptied or put back to an older state.",
    outcome: "definite",
    retry: "never",
    advice: "End the term. The next one claims anew; look at what the resource has lost.",
  },
  CLAIM_TIMEOUT: {
    meaning: "A resource was not claimed within claimTimeoutMs.",
    outcome: "unknown",
    retry: "later",
    advice: "The term is given back and stood for again. Look at the resource that the message names.",
  },
  CLAIM_BLOCKED: {
    meaning: "A claim waits for a lock that is held under a lower token.",
    outcome: "definite",
    retry: "later",
    advice: "A frozen predecessor is inside a transaction; end its session or wait for its timeout.",
  },
  CLAIM_UNCONFIRMED: {
    meaning: "The resource gave no clear answer to a claim: it may have been made.",
    outcome: "unknown",
    retry: "now",
    advice: "Claim again; a claim that comes twice changes nothing. `fences` does so by itself.",
  },
  SEQUENCE_REUSED: {
    meaning: "This number of the term stands for another operation already.",
    outcome: "definite",
    retry: "now",
    advice: "It was not applied. Write again without `attempt`; do not number writes of one term twice.",
  },
  SEQUENCE_GAP: {
    meaning: "Under strict order a write came before the one that precedes it.",
    outcome: "definite",
    retry: "now",
    advice: "Send the writes in the order of their numbers.",
  },
  ATTEMPT_PENDING: {
    meaning: "Under strict order the outcome of an earlier write has to be settled first.",
    outcome: "definite",
    retry: "now",
    advice: "Hand back the attempt that the error carries, then write again.",
  },
  ATTEMPT_TOO_OLD: {
    meaning:
      "This number lies more than 64 behind the newest, so the resource no longer knows whether it was applied.",
    outcome: "unknown",
    retry: "never",
    advice: "Look at the resource itself. Settle unknown outcomes before writing on.",
  },
  ATTEMPT_APPLIED: {
    meaning: "The write was applied before, but its result is no longer kept.",
    outcome: "definite",
    retry: "never",
    advice: "It is done; read the resource for what it did.",
  },
  WRITE_QUEUE_FULL: {
    meaning: "Too many writes wait for their turn at this resource.",
    outcome: "definite",
    retry: "later",
    advice: "Await writes before starting more; the resource is slower than the work.",
  },
  RESULT_TOO_LARGE: {
    meaning: "The result of a write cannot be kept: it is no JSON, or more than 4 KiB of it.",
    outcome: "definite",
    retry: "never",
    advice: "Nothing was written. Return less, or nothing.",
  },
  VALUE_TOO_LARGE: {
    meaning: "The value with all that fences it would exceed the resource's limit.",
    outcome: "definite",
    retry: "never",
    advice: "Nothing was written. Raise `maxBytes`, or keep large data elsewhere.",
  },
  GUARD_FAILED: {
    meaning: "The guarded resource failed before anything was applied.",
    outcome: "definite",
    retry: "later",
    advice: "The cause is attached.",
  },
  GUARD_UNCONFIRMED: {
    meaning: "The guarded resource gave no clear answer: the write may have been applied.",
    outcome: "unknown",
    retry: "now",
    advice: "Hand back the `attempt` that the error carries: it is applied once, whatever happened.",
  },
  GUARD_CONTENDED: {
    meaning: "Others changed the resource each time this write was about to be applied.",
    outcome: "definite",
    retry: "later",
    advice: "Several elections or handles share a resource; give each its own, or write less often.",
  },
  GUARD_ROW_UNREADABLE: {
    meaning: "What fences the resource cannot be read, or is of a newer format.",
    outcome: "definite",
    retry: "never",
    advice: "It is never overwritten. Update this process, or repair the resource by hand.",
  },
  GUARD_TABLES_MISSING: {
    meaning: "The database has no tables to fence the resource, or this role cannot see them.",
    outcome: "definite",
    retry: "never",
    advice:
      "Print the guard's schema (`tenure fence schema`) and let an operator run it, or set `create: true`.",
  },
  GUARD_UNSUITABLE: {
    meaning: "The resource is set up so that it would lose or mix up what fences it.",
    outcome: "definite",
    retry: "never",
    advice: "The message names the setting. Change it, or use a resource of another kind.",
  },
  FENCE_CHANGED: {
    meaning: "What fences the resource is not what the operator saw; nothing was done.",
    outcome: "definite",
    retry: "never",
    advice: "Look again (`tenure fence status`); `found` is what stands there now. Then decide anew.",
  },
  ACT_UNCONFIRMED: {
    meaning: "No clear answer came to an operator's act; it may have been done.",
    outcome: "unknown",
    retry: "never",
    advice: "Look at the resource: an act that was done stands in its record. The cause is attached.",
  },
  ENTRY_TOO_LARGE: {
    meaning: "An entry of a journal, or the state of a checkpoint, is over its limit.",
    outcome: "definite",
    retry: "never",
    advice: "Nothing was written. Keep large data elsewhere and name it, or raise the limit.",
  },
  JOURNAL_UNREADABLE: {
    meaning: "A part of the journal is missing, cannot be read, or is of a newer format.",
    outcome: "definite",
    retry: "never",
    advice:
      "Nothing of it is answered and it is never overwritten. Update this process, or restore what is missing.",
  },
  JOURNAL_TRIMMED: {
    meaning: "The entries that were asked for are gone: a checkpoint holds what they said.",
    outcome: "definite",
    retry: "never",
    advice:
      "Take the state of `inspect()` or `replay()`, and read on after its `upTo`, which the error carries.",
  },
  TICKS_UNREADABLE: {
    meaning:
      "The record of a schedule's ticks cannot be read, is another schedule's, or is of a newer format.",
    outcome: "definite",
    retry: "never",
    advice:
      "Nothing was run, and it is never overwritten. Update this process, or repair the record by hand.",
  },
  TICKS_LOST: {
    meaning: "What was written of a tick was not there when the same transaction read it back.",
    outcome: "definite",
    retry: "never",
    advice:
      "Nothing was applied. `record.write` must add what is not there yet, and the body must leave the record alone.",
  },
};
