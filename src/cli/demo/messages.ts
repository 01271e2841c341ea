/** What the demo's processes tell each other. Types, and the one reader of what came in. */

import type { ElectorName } from "./settings.js";

/** The variable in which a candidate finds its site, as JSON. */
export const siteVariable = "TENURE_DEMO_SITE";

export interface Assignment {
  readonly root: string;
  readonly node: string;
  readonly start: number;
  readonly elector: ElectorName;
  /** Leave the directory when the parent is gone. */
  readonly keep: boolean;
}

export type FromCandidate =
  /** A line of its history, told after it was written down. */
  | {
      readonly type: "told";
      readonly event: "elected" | "extended" | "lost" | "released";
      readonly token: number;
      readonly at: string;
    }
  /** Who it sees leading. */
  | { readonly type: "sees"; readonly token: number }
  /** Its first look after a pause that it did not choose. */
  | { readonly type: "woke"; readonly token: number; readonly gapMs: number; readonly current: boolean }
  /** Its write stands still between reading and writing. */
  | { readonly type: "held"; readonly token: number }
  /** The first write of its term is done. */
  | { readonly type: "wrote"; readonly token: number }
  /** It woke up, and has tried to write with what it held. */
  | { readonly type: "tried"; readonly token: number }
  /** How its asking for a handover ended. */
  | { readonly type: "asked"; readonly done: boolean; readonly outcome: string }
  | { readonly type: "failed"; readonly message: string };

export type ToCandidate =
  /** The process that is stopped now: it cannot notice the end of the parent, so its siblings wake it then. */
  | { readonly type: "frozen"; readonly pid: number | undefined }
  /** Stand still in the middle of the next write. */
  | { readonly type: "hold" }
  /** Go on with it. `stale`: another leader has written meanwhile. */
  | { readonly type: "release"; readonly stale: boolean }
  /** Block the event loop until this file exists. */
  | { readonly type: "block"; readonly until: string }
  /** Ask whoever leads to hand over. */
  | { readonly type: "transfer" };

/** Both ends are this program, so the shape is trusted once it is an object with a type. */
export function readMessage<M extends { readonly type: string }>(value: unknown): M | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  return value as M;
}
