/**
 * A story: a scenario in plain English, and the transcript that it is expected to have.
 *
 * Data only. `parse.ts` reads it, `print.ts` writes it back to the letter, `play.ts` runs it.
 */

import type { Fault } from "../faults/fault.js";
import type { Mood, StoreKind, Wall } from "../settings.js";

/** One line that says what the world is like. What no line says is as in `settings-of.ts`. */
export type Setting =
  | { readonly is: "nodes" | "late"; readonly names: readonly string[] }
  | { readonly is: "seed"; readonly count: number }
  | { readonly is: "store"; readonly store: StoreKind; readonly acknowledged?: true }
  | { readonly is: "ttl"; readonly who?: string; readonly ms: number }
  | { readonly is: "drain" | "writes"; readonly ms: number }
  | { readonly is: "latency"; readonly ms: number; readonly tailed?: true }
  | { readonly is: "rate"; readonly who: string; readonly rate: number }
  | { readonly is: "store-clock"; readonly who?: string }
  | { readonly is: "work"; readonly mood: Mood }
  | { readonly is: "wall"; readonly wall: Exclude<Wall, "set"> }
  | {
      readonly is: "hints" | "visitor" | "twins" | "shared-name" | "no-writes" | "one-resource" | "unguarded";
    };

/** What must be so at an instant, after all that is due then. */
export type Expectation =
  | { readonly that: "leads" | "leads-not" | "uncertain" | "gone"; readonly who: string }
  | { readonly that: "nobody-leads" | "one-leads" | "none-refused" | "nothing-held" }
  | { readonly that: "ended"; readonly who: string; readonly reason: string }
  | { readonly that: "refused"; readonly who: string; readonly code: string }
  | { readonly that: "terms" | "ledger" | "tries" | "tokens"; readonly count: number }
  | { readonly that: "record"; readonly state: string; readonly who: string }
  | { readonly that: "answered"; readonly answer: string };

/** How a story ends. */
export type Ending = "bare" | "healing" | "spells";

/** Where it goes wrong, so that it shows something. */
export interface Shown {
  readonly on: "naive" | "mutant" | "specimen";
  /** Empty for `naive`. */
  readonly name: string;
  /** Words of what breaks there. */
  readonly breaks: string;
}

export type StoryLine =
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "blank" }
  | { readonly kind: "setting"; readonly setting: Setting }
  | { readonly kind: "act"; readonly fault: Fault }
  | { readonly kind: "expect"; readonly atMs: number; readonly expectation: Expectation }
  | { readonly kind: "until"; readonly untilMs: number; readonly ending: Ending }
  | { readonly kind: "shown"; readonly shown: Shown };

export interface Story {
  readonly lines: readonly StoryLine[];
  /** What stands below the dashes. */
  readonly transcript: string | undefined;
}

/** What stands in a story cannot be read. Lines and columns count from 1. */
export class StoryError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(line: number, column: number, message: string) {
    super(`line ${line}, column ${column}: ${message}`);
    this.name = "StoryError";
    this.line = line;
    this.column = column;
  }
}
