/**
 * What an election tells its listeners, and why terms end. Types only.
 *
 * Per term, in this order: `elected`, then `uncertain` and `confirmed` in turn, then
 * `lost`, then `released`. `lost` fires before the work is waited for, so that work
 * stopped by a listener is stopped in time.
 */

/**
 * - `stopped`, `resigned`, `transferred`, `finished` (the work returned), `failed` (it threw), `max-term`: wanted.
 * - `deadline`: no renewal was confirmed in time.
 * - `superseded`: the record is another's, or no longer held.
 * - `store-lost`: the store has lost or rolled back the record.
 * - `duplicate-identity`: another process writes as this very candidacy (a cloned image).
 * - `outpaced`: a resource has seen a higher token.
 */
export type EndReason = WantedEnd | "deadline" | "superseded" | "store-lost" | "duplicate-identity";

/** Ends that somebody asked for: the work is drained under a lease that is still renewed. */
export type WantedEnd =
  | "stopped"
  | "resigned"
  | "transferred"
  | "finished"
  | "failed"
  | "max-term"
  | "outpaced";

export type LeaderView =
  | {
      readonly kind: "held";
      readonly node: string;
      /** `undefined` where the algorithm yields none (Bully). */
      readonly token: number | undefined;
      readonly metadata: Readonly<Record<string, string>>;
      /** True when this election object leads. */
      readonly self: boolean;
    }
  | { readonly kind: "vacant" }
  /** Nobody can tell, for `sinceMs` now: no answer, an unreadable record, or one that stopped changing. */
  | { readonly kind: "unknown"; readonly sinceMs: number };

export interface ElectionEvents {
  elected: { readonly node: string; readonly token: number | undefined };
  /** A renewal failed; leading goes on until the deadline. */
  uncertain: { readonly sinceMs: number; readonly cause: unknown };
  /** The first confirmed renewal after `uncertain`. */
  confirmed: { readonly afterMs: number };
  /** Leading has ended. `lateByMs`: how long after the deadline this process noticed; 0 when in time. */
  lost: { readonly reason: EndReason; readonly token: number | undefined; readonly lateByMs: number };
  /** The work has settled, or overran the drain. `left-to-expire`: others wait for the ttl. */
  released: { readonly outcome: "released" | "left-to-expire"; readonly token: number | undefined };
  leaderChanged: LeaderView;
  renewFailed: { readonly cause: unknown; readonly remainingMs: number };
  workFailed: { readonly cause: unknown };
}

/** Takes fields first, message second, as pino does; `console` fits too. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
