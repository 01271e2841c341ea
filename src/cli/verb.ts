/** What a verb of the command is. One file per verb; `verbs.ts` lists them. Types only. */

import type { Terminal } from "./terminal.js";

/** The settings that verbs share; `settings.ts` says what they mean. */
export type SettingName = "store" | "namespace" | "node" | "ttl" | "drain" | "local";

export interface Flags {
  has(name: string): boolean;
  text(name: string): string | undefined;
  durationMs(name: string): number | undefined;
  count(name: string): number | undefined;
}

export interface OptionSpec {
  /** Without the two hyphens. */
  readonly name: string;
  readonly kind: "switch" | "text" | "duration" | "count" | "choice";
  /** How help names its value; a switch has none. */
  readonly value?: string;
  readonly about: string;
  /** Of a duration, ms; of a count, whole numbers. */
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

export interface Invocation {
  readonly verb: Verb;
  readonly flags: Flags;
  readonly positionals: readonly string[];
  /** What stands behind `--`. */
  readonly command: readonly string[];
}

export interface Verb {
  /** One word, or a group and a word: "run", "fence status". */
  readonly name: string;
  /** Shown on the first page of help; the rest stands under "More". */
  readonly everyday: boolean;
  readonly summary: string;
  /** What help says beyond the summary, wrapped as it is. */
  readonly about: string;
  /** In order. `[FILE]` may be left out, `FILE…` stands last and takes all that follow. */
  readonly positionals: readonly string[];
  readonly takesCommand?: boolean;
  /** Which of the common settings it reads; each is an option too. */
  readonly settings: readonly SettingName[];
  readonly options: readonly OptionSpec[];
  /** Resolves with the exit code. */
  readonly run: (invocation: Invocation, terminal: Terminal) => Promise<number>;
}
