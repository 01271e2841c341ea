/** What is demonstrated: the election, its candidates, and what is added to its bounds. */

import { createElection } from "../../create-election.js";
import type { Budget, Election } from "../../election/api.js";
import type { Logger } from "../../election/events.js";
import type { HistorySink } from "../../history/line.js";
import type { Store } from "../../lease/store.js";
import { memoryStore } from "../../stores/memory/index.js";
import { watchedStore } from "./watched-store.js";

export const nodes = ["alpha", "beta", "gamma"] as const;
export type Node = (typeof nodes)[number];

/** Whose candidates a run has: those of this package, or the naive ones of `--unsafe`. */
export type ElectorName = "tenure" | "naive";

export const electionName = "demo";
/** Short enough to watch, long enough that a busy machine renews in time. */
export const ttlMs = 2_000;
/**
 * Added to each bound, since bounds are about the protocol: three candidates, their fsyncs and whatever else runs
 * share the processors of one machine. A tenth of what the bounds are about, so that they stay bounds.
 */
export const allowanceMs = 250;
/** What one call without an answer costs: its timeout and the pause before the next try, within one renewal pause. */
export const silenceMs: number = Math.ceil(ttlMs / 6);
/** As by default for this ttl; named since the bound of a handover rests on them. */
const renewMs: number = Math.floor(ttlMs / 6);
const requestTimeoutMs: number = Math.floor((ttlMs * 2) / 15);
/**
 * What rule 10 grants a handover until the holder's belief ends: it meets the request at its next renewal at the
 * latest, and waits for a bid as long as one renewal pause and one request may take.
 */
export const handoverMs: number = renewMs + renewMs + requestTimeoutMs;
const drainMs = 1_000;
/** Between two operations of a leader: often enough that each fault meets some, seldom enough to leave the disk to the election. */
export const writeEveryMs = 200;

export interface CandidateOptions {
  readonly store: Store;
  readonly namespace: string;
  readonly node: string;
  readonly history: HistorySink;
  readonly logger: Logger;
  /** Called for each call that the store did not answer in time. */
  readonly onSilence: () => void;
}

/** Opens nothing: the store is touched by the first operation. */
export function createDemoElection(options: CandidateOptions): Election {
  const { store, onSilence, ...rest } = options;
  const timing = { ttlMs, renewMs, requestTimeoutMs, drainMs };
  return createElection({ name: electionName, store: watchedStore(store, onSilence), ...timing, ...rest });
}

/** As every candidate of the demo prints it. */
export function demoBudget(): Budget {
  const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
  const nothing = () => {};
  const store = memoryStore({ maxTtlMs: ttlMs });
  const reader = { store, namespace: "default", node: "reader" };
  return createDemoElection({ ...reader, history: nothing, logger: silent, onSilence: nothing }).budget;
}
