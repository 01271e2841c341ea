/**
 * What a process knows of a journal up to one version: names and places, not the entries themselves. Pure.
 *
 * Made by following the versions since the last checkpoint, oldest first, and then one by
 * one as they come, so that an append reads no more than the newest. Grows with the
 * entries since the last checkpoint.
 */

import type { VersionFile } from "../chain/layout.js";
import type { Addition, JournalVersion, PlacedOperation } from "./version.js";

/** A version with its place in the chain. */
export interface Placed {
  readonly file: VersionFile;
  readonly mark: string;
  readonly nonce: string;
  readonly version: JournalVersion;
}

export interface Log {
  /** The version up to which this is known; undefined for a journal that nobody has written to. */
  readonly head: Placed | undefined;
  readonly index: number;
  readonly upTo: number;
  /** What is recognised when it comes again, oldest first. `returned` is as a guard knows operations. */
  readonly operations: readonly (PlacedOperation & { readonly returned: false })[];
  /** Which version holds which of the entries after `upTo`. */
  readonly places: readonly { readonly index: number; readonly number: number }[];
}

export const emptyLog: Log = { head: undefined, index: 0, upTo: 0, operations: [], places: [] };

/** `next` is the version on top of `log`, or the oldest that a replay needs on top of nothing. */
export function followed(log: Log, next: Placed): Log {
  const { index, entry, checkpoint } = next.version;
  if (entry !== undefined) {
    const operations = [...log.operations, { opId: entry.opId, index, returned: false as const }];
    return {
      ...log,
      head: next,
      index,
      operations,
      places: [...log.places, { index, number: next.file.number }],
    };
  }
  if (checkpoint === undefined) return { ...log, head: next, index };
  const { upTo } = checkpoint;
  return {
    head: next,
    index,
    upTo,
    operations: checkpoint.operations.map((operation) => ({ ...operation, returned: false })),
    places: log.places.filter((place) => place.index > upTo),
  };
}

/** How far back a replay has to go from a version on top of `log`. */
export function backOf({ head, places }: Log, addition: Addition | undefined): number {
  if (head === undefined) return 0;
  if (addition?.kind !== "checkpoint") return head.version.back + 1;
  const first = places.find(({ index }) => index > addition.upTo);
  return first === undefined ? 0 : head.file.number + 1 - first.number;
}

/** The last `count`, and every one whose entry stays. */
export function rememberedAt({ operations }: Log, upTo: number, count: number): readonly PlacedOperation[] {
  return operations.filter(({ index }, place) => index > upTo || place >= operations.length - count);
}
