/**
 * The public face of an election: what users hold in their hands. Types only.
 *
 * Everything here is a plain readonly interface, without class, brand or private
 * member, so that two copies of the package in one process fit each other.
 */

import type { Fence, Sequence } from "../fence/fence.js";
import type { ElectionEvents, EndReason, LeaderView } from "./events.js";

/** One term of leading. Nothing in it is cached: every getter reads the clock now. */
export interface Term extends AsyncDisposable {
  readonly namespace: string;
  readonly election: string;
  readonly node: string;
  /** True while this node may act. Ask before every step; never keep the answer across an `await`. */
  readonly isCurrent: boolean;
  /**
   * Aborts when the term ends; the reason is a LEADERSHIP_LOST error. Reading this property looks at the
   * clock first, so a blocked event loop cannot show an open signal after the deadline. A signal kept in
   * a variable may lag by the length of the block: loop on `isCurrent`, hand the signal to calls.
   */
  readonly signal: AbortSignal;
  /** Settles with the reason when leading ends, before the work is waited for. Never rejects. */
  readonly ended: Promise<EndReason>;
  /** Throws LEADERSHIP_LOST unless the term is current. Under half a microsecond. */
  check(): void;
  /** Milliseconds until this node must stop unless a renewal succeeds; 0 when the term is over. */
  remainingMs(): number;
  /**
   * Resolves once at least `ms` remain, renewing at once when needed. Rejects with LEADERSHIP_LOST when the
   * term ends, ENSURE_UNCONFIRMED when the store does not confirm in time, the signal's reason when aborted;
   * RangeError (INVALID_OPTION) when `ms` is more than a fresh renewal gives (`ttlMs / 1.5`).
   */
  ensure(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * Ends the term: belief first, then the signal, then `lost`, then the work is drained, then the lease is
   * released. Resolves after `released`, or inside `run` and `runOnce` as soon as the term has ended, since
   * there the release waits for the work. With `to`, leads on until that node has answered that it will follow
   * (at most renewMs + requestTimeoutMs) and offers the lease to it. Idempotent; never rejects.
   */
  resign(options?: { readonly to?: string }): Promise<void>;
}

/** A term whose algorithm yields a fencing token. */
export interface Leadership extends Term {
  readonly token: number;
  /** What guards ask for. JSON-safe. */
  readonly fence: Fence;
  /** The one allocator of write numbers for `resource` in this term. */
  sequence(resource: string): Sequence;
  /**
   * A resource has seen token `watermark`, higher than ours or ours under another owner: ends the term, and the
   * next take asks for more than `watermark`. At most one such take per ttl. Guards call it by themselves.
   */
  outpaced(watermark: number): void;
}

/** A term without a token: a guard refuses it at compile time. */
export interface UnfencedLeadership extends Term {
  readonly token?: never;
  readonly fence?: never;
}

export type AnyLeadership = Leadership | UnfencedLeadership;

export interface RunOptions {
  /** Ends the candidacy and the term: `run` resolves; `runOnce` rejects with its reason before it is elected. */
  readonly signal?: AbortSignal;
  /** How long work may take to settle after the end of its term, ms. Default: the election's. */
  readonly drainMs?: number;
  /** Work that throws: stand again after a pause (default), or end `run` with that error. */
  readonly onError?: "retry" | "throw";
  /** Resign voluntarily after this long, for work that might hang. Default: none, a good leader stays. */
  readonly maxTermMs?: number;
}

export interface HeldBy {
  readonly node: string;
  readonly token: number | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

export type Attempted<L> =
  | { readonly kind: "elected"; readonly leadership: L }
  /** Another node showed life during this call. */
  | { readonly kind: "held"; readonly by: HeldBy }
  /** Only with `immediate`: it could not be taken at once, and nobody waited to see whether it lives. */
  | { readonly kind: "unknown" };

export interface TransferOptions {
  /** Node that shall follow. Default: whichever candidate answers first. */
  readonly to?: string;
  /**
   * The leader leaves also when nobody answers. It then does not wait for an answer, unless it is the one who asks.
   * Default false: it goes on.
   */
  readonly orResign?: boolean;
  /** Stops waiting for the result; a request that was written stays. */
  readonly signal?: AbortSignal;
}

export type TransferResult =
  | { readonly kind: "transferred"; readonly to: string; readonly token: number | undefined }
  /** Only with `orResign`: the leader has left, and nobody has followed by this request. */
  | { readonly kind: "resigned" }
  /** Nobody eligible answered; the leader goes on in the same term. */
  | { readonly kind: "no-candidate" }
  /** Leadership changed hands for another reason, or another request came first. */
  | { readonly kind: "superseded" }
  /** Nobody leads, so there is nothing to transfer. */
  | { readonly kind: "not-held" };

export interface LeaderObserver extends AsyncIterable<LeaderView>, AsyncDisposable {
  /** The newest view; for routing. Views between two reads are skipped, never queued. */
  readonly current: LeaderView;
}

/** Bounds that hold for these options, in milliseconds. */
export interface Budget {
  /** Two nodes believing at once; 0 under the assumptions. */
  readonly overlapMs: number;
  /** From the last renewal of a leader that crashed to the next leader. */
  readonly leaderlessMs: number;
  /** From the end of a term whose work overran the drain to the next leader. */
  readonly stuckWorkMs: number;
  /** From the last confirmed send, after which a node cut off has stopped. */
  readonly stopMs: number;
  /** The longest `stop()`. */
  readonly shutdownMs: number;
  readonly assumptions: readonly string[];
}

export interface ElectionStatus {
  readonly state: "idle" | "candidate" | "leader" | "draining" | "settling" | "stopped";
  /** `advisory`: two nodes may believe at once, for the reasons named. */
  readonly belief: "exclusive" | "advisory";
  readonly reasons: readonly string[];
  readonly token: number | undefined;
  readonly remainingMs: number;
  readonly leader: LeaderView;
  /** The last failure of the store since its last answer. */
  readonly lastError: unknown;
}

/** One candidate of one election. One campaign at a time; another throws CAMPAIGN_IN_PROGRESS. */
export interface Election<out L extends AnyLeadership = Leadership> extends AsyncDisposable {
  readonly name: string;
  readonly namespace: string;
  readonly node: string;
  /** The current leadership, or undefined. Reads the clock now. */
  readonly leadership: L | undefined;
  readonly status: ElectionStatus;
  readonly budget: Budget;
  /**
   * Candidate for life: stands, runs `work` for every term, stands again, until the signal or `stop()`.
   * Work that returns ends its term; so does work that throws, which emits `workFailed`. Errors that only
   * say the term is over are no failure. Resolves on signal and stop, after the work has settled or
   * overrun its drain. Rejects when the store refuses for good, or with `onError: "throw"`.
   */
  run(work: (leadership: L) => Promise<void>, options?: RunOptions): Promise<void>;
  /**
   * Stands until elected once, runs `work`, resigns, and resolves with its result, also with one returned
   * after the end of the term. Work that then throws because its term ended rejects with LEADERSHIP_LOST.
   */
  runOnce<R>(work: (leadership: L) => Promise<R>, options?: Omit<RunOptions, "onError">): Promise<R>;
  /** Stands until elected. The work of the term settles when you call `resign()`. Rejects with the signal's reason. */
  campaign(options?: { readonly signal?: AbortSignal }): Promise<L>;
  /**
   * One try with evidence: `elected`, or `held` after the holder showed life; a holder that shows none is
   * waited out (its ttl) and replaced. `immediate` answers at once instead, with `elected` or `unknown`.
   */
  tryCampaign(options?: {
    readonly signal?: AbortSignal;
    readonly immediate?: false;
  }): Promise<Exclude<Attempted<L>, { kind: "unknown" }>>;
  tryCampaign(options: { readonly signal?: AbortSignal; readonly immediate: boolean }): Promise<Attempted<L>>;
  /**
   * Watches who leads, without standing. Keeps the process alive until it is disposed, its signal aborts, a
   * `for await` loop over it is left, or the election stops.
   */
  observe(options?: { readonly signal?: AbortSignal }): LeaderObserver;
  /** Asks whoever leads to hand over, from any node. The result is a value; store failures reject. */
  transfer(options?: TransferOptions): Promise<TransferResult>;
  /** Ends everything: resolves after `drainMs` at the latest (or one request timeout, if that is longer). Idempotent. */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
  /** Returns the function that removes the listener. Listeners cannot hurt the election. */
  on<K extends keyof ElectionEvents>(
    event: K,
    listener: (event: ElectionEvents[K]) => unknown,
    options?: { readonly signal?: AbortSignal },
  ): () => void;
}
