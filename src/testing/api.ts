/**
 * What a test holds in its hands: an election, and control over its time and its store. Types only.
 */

import type { Election, Leadership } from "../election/api.js";
import type { EndReason } from "../election/events.js";
import type { CommonOptions } from "../election/options.js";
import type { Sleep } from "./sleep.js";

export interface TestElectionOptions extends CommonOptions {
  /** As for `createElection`, ms, from 1 000. Default 15 000, what elections have. */
  readonly ttlMs?: number;
}

/** The losses that nobody asked for and that work has to survive. */
export type LossReason = Extract<EndReason, "deadline" | "superseded" | "store-lost">;

/**
 * Time stands still between the calls below. Those that return a promise resolve when nothing is left to do at
 * that instant: listeners were called, and the work has gone on to its next real wait. They need no `this`.
 */
export interface TestElection {
  /** What `createElection` returns, on this clock and this store. Hand it to the code under test. */
  readonly election: Election<Leadership>;
  /** Virtual ms since the start. */
  readonly nowMs: number;
  /**
   * Lets the election win: time passes until it leads, a store that was taken away answers again. Resolves with
   * the leadership, also when its work has returned by then. Uses the campaign that is under way; without one it
   * calls `campaign()`, so the term is yours and `resign()` says that its work is done. Rejects when the
   * candidate cannot win, which is the case while the work of the last term has not settled.
   */
  elect(): Promise<Leadership>;
  /**
   * Ends the term without anybody's wish; `lost` has been emitted when it resolves, the work may still run.
   *
   * - `superseded` (default), within 1 ms: the record names another holder, which then shows no more life.
   * - `store-lost`, within 1 ms: the record is gone.
   * - `deadline`: the store does not answer until the deadline, up to `ttlMs / 1.5` from now.
   *
   * The store answers again afterwards. Rejects when nobody leads, and when the term ended for another reason.
   */
  loseNow(reason?: LossReason): Promise<void>;
  /**
   * Takes the store away and fails a renewal at once: the term is uncertain and still current, until `recover()`
   * or its deadline. Rejects when nobody leads.
   */
  goUncertain(): Promise<void>;
  /** The store answers again. A term that is still current is confirmed at once. */
  recover(): Promise<void>;
  /**
   * Blocks the event loop: time passes before this returns, and no timer fires. What was due meanwhile fires with
   * the next `advance`. Call it from the test, or from inside the work in place of what blocks it.
   */
  block(ms: number): void;
  /** Lets time pass; timers fire in order, and the promises they settle. `advance(0)` lets pending promises settle. */
  advance(ms: number): Promise<void>;
  /** Waits in virtual time. For work that takes its `setTimeout` of `node:timers/promises` as an argument. */
  readonly sleep: Sleep;
}
