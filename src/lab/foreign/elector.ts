/**
 * The seam at which a foreign elector is put in the place of ours: `createElector(parts)`.
 *
 * An elector is handed all it may use: a store (the port of `lease/store.ts`) and a key in it, clock,
 * chance, the name of its node and a ttl. It must take time and chance from nowhere else,
 * so that one that runs in real processes runs in a simulation too. Whoever drives it
 * calls `start`, asks `check` and `token` at any instant, and ends with `stop`. The lab judges it by
 * what `check` and `token` answer; the demo also by the history that it writes.
 */

import type { Clock } from "../../base/clock.js";
import type { Chance } from "../../base/random.js";
import type { HistoryEvent } from "../../history/line.js";
import type { Store } from "../../lease/store.js";

export interface ElectorParts {
  readonly store: Store;
  /** Where the record of the election lies in it. */
  readonly key: string;
  readonly clock: Clock;
  readonly random: Chance;
  readonly node: string;
  readonly ttlMs: number;
  /**
   * Where it says what it believes, before it does: `elected` and `extended` with its deadline, `lost`, `released`.
   * Its `instance` there is the one in its records.
   */
  readonly history?: ElectorHistory;
}

export interface ElectorHistory {
  write(event: HistoryEvent): void;
  /** The instant `aheadMs` from now, as history writes it. */
  instant(aheadMs: number): string;
}

export interface Elector {
  /** Stands from now on. Never throws; may be called again after `stop`. */
  start(): void;
  /** Whether this node may act now. Synchronous, never throws. */
  check(): boolean;
  /** The fencing token of the term that `check` speaks of; undefined when there is none. */
  token(): number | undefined;
  /** Leaves, giving back what it holds. Never rejects. */
  stop(): Promise<void>;
}

export type CreateElector = (parts: ElectorParts) => Elector;
