/**
 * History v1: what a process believed, one JSON object a line.
 *
 * Lines are written before the belief they announce takes effect: `elected` and
 * `extended` carry the deadline `until`, so the belief of a process that was killed
 * or frozen can be judged from what it left behind. `at` and `until` are the
 * monotonic clock in nanoseconds, comparable between processes of one `boot`.
 * Fields are only added; a fixture of every version stays readable.
 */

export const historyVersion = 1;

export interface HistoryStamp {
  readonly v: number;
  readonly boot: string;
  /** Nanoseconds, as a decimal string: they exceed what a double holds exactly after 104 days. */
  readonly at: string;
  readonly wall: number;
  /** One start of one process. */
  readonly process: string;
  readonly node: string;
  readonly namespace: string;
  readonly election: string;
}

/** Belief of one term. `instance` names the candidacy, `token` the term. */
export type TermEvent =
  | {
      readonly event: "elected" | "extended";
      readonly instance: string;
      readonly token: number;
      readonly until: string;
    }
  | { readonly event: "uncertain" | "confirmed"; readonly instance: string; readonly token: number }
  | {
      readonly event: "lost";
      readonly instance: string;
      readonly token: number;
      readonly reason: string;
      readonly lateByMs: number;
    }
  | {
      readonly event: "released";
      readonly instance: string;
      readonly token: number;
      readonly outcome: string;
    };

/** What work or an observer saw: a `check()` that passed, the leader an observer named. */
export type WitnessEvent =
  | { readonly event: "checked"; readonly instance: string; readonly token: number }
  | { readonly event: "observed"; readonly instance: string; readonly token: number };

/** What a guarded resource answered. */
export type GuardEvent = {
  readonly event: "claimed" | "applied" | "refused";
  readonly resource: string;
  readonly instance: string;
  readonly token: number;
  /** Number of the write within (resource, token); absent on claims. */
  readonly seq?: number;
  readonly opId?: string;
  readonly code?: string;
  /** With `applied`: a repeated answer to a write that was applied before. */
  readonly duplicate?: boolean;
};

/** What a harness did. `leader-by` asks for exactly one leader within `withinMs`. */
export type HarnessEvent =
  | { readonly event: "fault"; readonly fault: string }
  | { readonly event: "leader-by"; readonly withinMs: number }
  /** The election's record, or a resource's row. `repaired`: it can be read again. */
  | {
      readonly event: "store";
      readonly body: "unreadable" | "newer" | "overwritten" | "repaired";
      readonly resource?: string;
    };

export type HistoryEvent = TermEvent | WitnessEvent | GuardEvent | HarnessEvent;
export type HistoryLine = HistoryStamp & HistoryEvent;

/** Called synchronously with one line of JSON, without the line break. */
export type HistorySink = (line: string) => void;
