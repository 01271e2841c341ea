/**
 * The store port: a compare-and-set register per key, and nothing more.
 *
 * One protocol, one proof: whatever can read a value and replace exactly that
 * value can carry a lease. A driver keeps no state that safety rests on, never
 * retries by itself, and must be honest in three ways:
 *
 * - A **version** names one write for ever: across delete, re-creation and
 *   restore no other write may answer to it (rule 7 of docs/safety.md).
 * - `written` means durable, to the degree the driver's page promises.
 * - A call that throws, or never settles, has an **unknown** outcome: it may have
 *   been carried out, or may be later. The caller guards itself with its own
 *   timeout; `call.signal` is a request to stop trying, not a guarantee.
 *
 * All methods may be called concurrently, also for one key. Returned data belongs
 * to the caller; the driver keeps no reference to a record handed in.
 */

import { duration } from "../base/options.js";
import type { LeaseRecord } from "./record.js";

/** Opaque, compared whole. Unique to one write for ever. */
export type Version = string;

export interface Call {
  /** Aborted when the answer is no longer wanted. Do not start the write after that. */
  readonly signal: AbortSignal;
  /** The caller gives up after this long; a driver passes it on where it can. */
  readonly timeoutMs: number;
  /**
   * `prove`: write only if the atomic step itself shows that no lease was forgotten that is later than what stands
   * there, whatever that is: nothing, a tombstone, or a lease that is held; else answer `unproven`. `waited`: the
   * caller has waited out every lease that may have been.
   */
  readonly absence: "prove" | "waited";
  /**
   * Who judges expiry of the record replaced. `observed`: the caller did, and the store asks nothing. `store-clock`,
   * sent only about records that say so themselves: the write is a conflict, with the present age, unless the record's
   * age by the store's clock has reached its ttl in the atomic step.
   */
  readonly takeover: "observed" | "store-clock";
}

export interface Stored {
  readonly version: Version;
  /** Identity of the store's memory: run id, timeline, cluster id, directory. Another epoch may have forgotten. */
  readonly epoch: string;
  /**
   * Time since the last write by the store's clock, ms; used only for records with `expiry: "store-clock"`. A store that
   * may come back with older data counts no more than the time since it did.
   */
  readonly ageMs?: number;
  /** `newer`: a later format whose header this release cannot read. `unreadable`: not a lease record. */
  readonly body: LeaseRecord | "newer" | "unreadable";
}

export type Written =
  | { readonly kind: "written"; readonly version: Version; readonly epoch: string }
  | { readonly kind: "conflict"; readonly current: Stored | undefined }
  /** Only with `absence: "prove"`. */
  | { readonly kind: "unproven"; readonly epoch: string };

/** One write of a batch. Each has its own call: its own patience, its own wish to be left out. */
export interface BatchedWrite {
  readonly key: string;
  readonly record: LeaseRecord;
  readonly expected: Version | undefined;
  readonly call: Call;
}

export interface BatchedRead {
  readonly key: string;
  readonly call: Call;
}

/** An item's own failure, with the meaning that a rejection of the single call has. */
export type Failed = { readonly kind: "failed"; readonly cause: unknown };

/** What an operator should know about a store as it is set up. `advisory`: it takes P1 away (docs/safety.md). */
export interface StoreFinding {
  readonly code: string;
  readonly message: string;
  readonly advisory: boolean;
}

export interface StoreCapabilities {
  /** The store can prove that a name was never held, so the first election need not wait. */
  readonly provesAbsence: boolean;
  /** The store can judge expiry by its own clock inside the atomic step. */
  readonly storeClock: boolean;
  /** Finding my own nonce in the store proves that my write counts. False for replicas without acknowledgement. */
  readonly readBackProves: boolean;
  /** `watch` wakes on changes of state, usually within milliseconds. */
  readonly notifies: boolean;
}

/** Disposing is idempotent, closes only what the store made itself, and makes later calls reject. */
export interface Store extends AsyncDisposable {
  /** Short name of the driver: "memory", "file", "redis" … */
  readonly kind: string;
  /** How far its elections reach; outside of it others elect their own leader. */
  readonly scope: "process" | "host" | "network";
  readonly capabilities: StoreCapabilities;
  /** Upper bound of every ttl in this store, ms; the same in all processes, kept in the store's marker. */
  readonly maxTtlMs: number;
  /** `undefined` means absent. Rejects when there is no answer, and when the call is aborted before it began. */
  read(key: string, call: Call): Promise<Stored | undefined>;
  /**
   * Replaces exactly `expected` (undefined: creates). Rejects when the outcome is unknown, and when the call is
   * aborted before it began. What is `unreadable` or `newer` is never replaced: that is a conflict.
   */
  write(key: string, record: LeaseRecord, expected: Version | undefined, call: Call): Promise<Written>;
  /**
   * Many at once, over one exchange where that can be (rule 11). One result per item, in order; items are
   * independent of each other, and carry the promises of the single calls. A rejection leaves all of them unknown.
   */
  readMany?(
    items: readonly BatchedRead[],
  ): Promise<ReadonlyArray<{ readonly stored: Stored | undefined } | Failed>>;
  writeMany?(items: readonly BatchedWrite[]): Promise<ReadonlyArray<Written | Failed>>;
  /** What was found out about the store so far; the same array until something is added. Empty: nothing to say. */
  readonly findings?: readonly StoreFinding[];
  /**
   * A hint that a key may have changed state. Polling is the truth: wakes may be lost, doubled or late.
   * Must neither throw nor block. Ends with `signal`. Renewals should not wake anybody where that can be chosen.
   */
  watch?(keys: readonly string[], wake: (key: string) => void, signal: AbortSignal): void;
}

/** Below this, timer lag and clock resolution eat the margin that the promises rest on. */
export const shortestTtlMs = 1_000;
export const longestTtlMs = 86_400_000;

/** The option every driver takes: default 15 000, the default ttl, so that a wiped store heals as fast as a crash. */
export function resolveMaxTtlMs(maxTtlMs: number = 15_000): number {
  return duration("maxTtlMs", maxTtlMs, shortestTtlMs, longestTtlMs);
}
