/**
 * What an audit answers. Types only.
 *
 * A violation is a broken promise. A finding is evidence that is damaged or cannot be
 * compared: whatever rests on it was not judged, which is no pass.
 */

import type { HistoryLine } from "../history/line.js";

export type Invariant = "I1" | "I2" | "I3" | "I4" | "I5" | "I6" | "I7" | "I8" | "I9" | "I10";

export interface Violation {
  readonly invariant: Invariant;
  /** Who, when (ms since the first line of that boot), why. */
  readonly message: string;
  /** The lines that show it. */
  readonly lines: readonly HistoryLine[];
}

export interface Finding {
  /**
   * - `torn`: the last line of a file breaks off, as a killed process leaves it.
   * - `garbage`: a line that is no history line, with others after it.
   * - `newer`: a line of a later format or with an event that this release does not know.
   * - `several-boots`: stamps that do not compare.
   */
  readonly kind: "torn" | "garbage" | "newer" | "several-boots";
  readonly message: string;
}

/** What one checker looked at. */
export interface Judgement {
  /** How many facts were judged; 0 says that the history carried nothing to look at. */
  readonly judged: number;
  readonly violations: readonly Violation[];
}

export interface Check {
  readonly invariant: Invariant;
  /** What was asked of the history. */
  readonly promise: string;
  readonly judged: number;
}
