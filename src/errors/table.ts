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
  | "TOKEN_EXHAUSTED";

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
};
