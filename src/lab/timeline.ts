/** What a run hands to those who show it: all that happened, in true time. Types only. */

import type { HistoryLine } from "../history/line.js";

/**
 * One thing that happened. History lines tell what was believed and what resources answered; a `belief` or `guard`
 * moment at the instant of such a line, by the same party, is that very thing and is not shown twice.
 */
export interface Moment {
  readonly atMs: number;
  /** "n0", "store", "ledger", "world" */
  readonly party: string;
  readonly kind: "process" | "belief" | "call" | "store" | "guard" | "fault" | "broken";
  /** What the party does, without its name: "is killed". */
  readonly text: string;
}

export interface Party {
  readonly name: string;
  readonly kind: "node" | "store" | "resource";
  readonly note?: string;
}

/** A time that the world knows of: a node that is stopped, cut off or dead, a store that stalls. */
export interface WorldSpan {
  readonly party: string;
  readonly kind: "down" | "stopped" | "suspended" | "blocked" | "cut" | "stalled";
  readonly fromMs: number;
  readonly untilMs: number;
  readonly text: string;
}

export interface RunStory {
  readonly title: string;
  /** For the heading, in order: seed, profile, ttl, rates of clocks. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly untilMs: number;
  readonly parties: readonly Party[];
  readonly moments: readonly Moment[];
  /** History of the run. `at` and `until` are nanoseconds of true time from 0, whatever their boot. */
  readonly lines: readonly HistoryLine[];
  readonly spans: readonly WorldSpan[];
  readonly verdict: {
    readonly broken: readonly string[];
    /** What went wrong where no promise was made. */
    readonly admitted: readonly string[];
  };
  /** How to see it again. */
  readonly again: string;
}
