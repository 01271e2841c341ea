/** One sentence on a run: when, who, what. Types only. */

import type { Moment } from "./timeline.js";

export type Sign =
  | "elected"
  | "renewed"
  | "uncertain"
  | "confirmed"
  | "lost"
  | "lapsed"
  | "released"
  | "checked"
  | "observed"
  | "claimed"
  | "applied"
  | "slipped"
  | "refused"
  | "span"
  | "asked"
  | Moment["kind"];

export interface Told {
  readonly atMs: number;
  readonly party: string;
  readonly sign: Sign;
  /** What the party does, without its name. */
  readonly text: string;
  /** Node that a resource answers. */
  readonly by?: string;
  readonly election?: string;
  /** Of what happens often: how several are told as one. */
  readonly routine?: Routine;
}

export interface Routine {
  /** Only what has the same key is told together. */
  readonly key: string;
  /** The words before and after the count. */
  readonly many: readonly [before: string, after: string];
}
