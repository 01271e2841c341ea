/**
 * A resource in memory that checks the fence as a database row would, and writes down what it was sent.
 *
 * For work that shows its fence itself; work behind `fences` is tested with `memoryGuard`. It has the rule of a
 * resource (the highest token wins, an equal one only from its owner) and none of a guard's interface. It orders
 * nothing within a term and recognises no repeated write.
 */

import type { Fence } from "../fence/fence.js";

export interface RecordedWrite<V> {
  readonly fence: Fence;
  readonly value: V;
}

export type WriteVerdict =
  | { readonly kind: "applied" }
  /** Nothing was written: the write of `token` and `owner` came first. */
  | { readonly kind: "refused"; readonly token: number; readonly owner: string };

export interface RecordingResource<V> {
  readonly name: string;
  /** What counts, oldest first. */
  readonly applied: readonly RecordedWrite<V>[];
  /** What was refused, oldest first. */
  readonly refused: readonly RecordedWrite<V>[];
  /**
   * Check and write in one step. Refuses a token below the highest one applied, an equal one of another owner,
   * and a fence of another lineage, whose tokens do not compare. Keeps `value` as it is, without a copy.
   */
  write(fence: Fence, value: V): WriteVerdict;
}

/** An empty resource. `name` is a label; `V` is what your work writes. */
export function recordingResource<V = unknown>(name: string): RecordingResource<V> {
  const applied: RecordedWrite<V>[] = [];
  const refused: RecordedWrite<V>[] = [];
  let last: Fence | undefined;
  return {
    name,
    applied,
    refused,
    write(fence, value) {
      if (last !== undefined && !mayFollow(last, fence)) {
        refused.push({ fence, value });
        return { kind: "refused", token: last.token, owner: last.owner };
      }
      last = fence;
      applied.push({ fence, value });
      return { kind: "applied" };
    },
  };
}

function mayFollow(last: Fence, fence: Fence): boolean {
  if (fence.lineage !== last.lineage || fence.election !== last.election) return false;
  return fence.token > last.token || (fence.token === last.token && fence.owner === last.owner);
}
