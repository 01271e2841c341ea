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

/** `versions` come on top of `log`, oldest first; on top of nothing they begin with the oldest that a replay needs. */
export function followed(log: Log, versions: readonly Placed[]): Log {
  let { head, index, upTo } = log;
  let operations = [...log.operations];
  let places = [...log.places];
  for (const next of versions) {
    const { entry, checkpoint } = next.version;
    head = next;
    ({ index } = next.version);
    if (entry !== undefined) {
      operations.push({ opId: entry.opId, index, returned: false });
      places.push({ index, number: next.file.number });
    } else if (checkpoint !== undefined) {
      const reached = checkpoint.upTo;
      upTo = reached;
      operations = checkpoint.operations.map((operation) => ({ ...operation, returned: false }));
      places = places.filter((place) => place.index > reached);
    }
  }
  return { head, index, upTo, operations, places };
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
