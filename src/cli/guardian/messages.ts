/** What `tenure run` and its guardian tell each other. Both come from one package, so nothing is versioned here. */

import type { Instant } from "./instant.js";

export interface Assignment {
  readonly command: readonly string[];
  /** Added to the environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  readonly until: Instant;
  readonly graceMs: number;
  readonly drainMs: number;
}

export type ToGuardian =
  | ({ readonly type: "start" } & Assignment)
  | { readonly type: "until"; readonly until: Instant }
  /** Passed on, and nothing else. */
  | { readonly type: "signal"; readonly signal: NodeJS.Signals }
  /** Passed on, and what does not end within the drain is killed. */
  | { readonly type: "end"; readonly signal: NodeJS.Signals }
  | { readonly type: "kill" };

export type FromGuardian =
  /** The command runs, in a group with this number. */
  | { readonly type: "started"; readonly group: number }
  /** `late`: too little was left of the term to begin. */
  | { readonly type: "not-started"; readonly code: string }
  /** The deadline came near, and the command was told to end. */
  | { readonly type: "ending" }
  /** Nothing of the group is left. The rest is about the command itself. */
  | {
      readonly type: "gone";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** The command ended before anybody had asked it to. */
      readonly byItself: boolean;
    };
