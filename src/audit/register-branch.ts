/** One way in which the calls to a register may have gone so far. Never changed, so branches can share their parts. */

import type { Loss, RegisterCall } from "./register.js";
import type { Write } from "./register-versions.js";

export interface Branch {
  /** Undefined: absent. */
  readonly current: string | undefined;
  /** Versions of calls that have been carried out and are not answered yet. */
  readonly made: readonly string[];
  /** Versions that stood, of those that a loss leaves some time. Undefined: nobody knows which. */
  readonly kept: readonly string[] | undefined;
  /** Calls that saw what they will be shown, and are not answered yet. */
  readonly seen: readonly RegisterCall[];
  /** How it came here, newest first. */
  readonly trail: Step | undefined;
}

export type Step = Move | Fall;

export interface Move {
  readonly over: string | undefined;
  readonly version: string;
  readonly maker: Write;
  /** What cannot be explained without it. */
  readonly because: RegisterCall | Loss;
  readonly before: Step | undefined;
}

export interface Fall {
  readonly over: string | undefined;
  readonly version: string | undefined;
  readonly loss: Loss;
  readonly before: Step | undefined;
}

/** Once a call is answered it no longer matters when it was carried out. */
export function settled(branch: Branch, call: RegisterCall, version: string | undefined): Branch {
  if (call.answer?.kind === "written") {
    return { ...branch, made: branch.made.filter((made) => made !== version) };
  }
  return { ...branch, seen: branch.seen.filter((seen) => seen !== call) };
}

/** Branches that will go on alike count once. */
export function distinct(branches: readonly Branch[]): readonly Branch[] {
  if (branches.length < 2) return branches;
  const kinds = new Map<string, Branch>();
  for (const branch of branches) {
    const { current, made, kept, seen } = branch;
    const ids = seen.map(({ id }) => String(id));
    const kind = JSON.stringify([current, made.toSorted(), kept?.toSorted(), ids.toSorted()]);
    if (!kinds.has(kind)) kinds.set(kind, branch);
  }
  return [...kinds.values()];
}
