/** Leaders as a guard meets them: a fence, one allocator of numbers per resource, and an ear for higher tokens. */

import type { Claimant, Fence, Sequence } from "../../fence/fence.js";
import { scriptedSequence } from "../../fence/scripted.js";
import { createSequence } from "../../fence/sequence.js";

export interface Leader extends Required<Omit<Claimant, "remainingMs">> {
  /** The watermarks that it was told of. */
  readonly outpacedBy: readonly number[];
}

export function fence(token: number, owner: string, change: Partial<Fence> = {}): Fence {
  return {
    v: 1,
    namespace: "default",
    election: "invoices",
    lineage: "default/lease",
    token,
    owner,
    ...change,
  };
}

export function leader(token: number, owner: string, change: Partial<Fence> = {}): Leader {
  return leaderWith(fence(token, owner, change), createSequence);
}

/** Its writes get these numbers, one after the other, whatever became of the ones before. */
export function numbered(token: number, owner: string, numbers: readonly number[]): Leader {
  return leaderWith(fence(token, owner), (resource) => scriptedSequence(resource, numbers));
}

function leaderWith(ownFence: Fence, create: (resource: string) => Sequence): Leader {
  const sequences = new Map<string, Sequence>();
  const outpacedBy: number[] = [];
  return {
    fence: ownFence,
    outpacedBy,
    outpaced: (watermark) => void outpacedBy.push(watermark),
    sequence(resource) {
      const sequence = sequences.get(resource) ?? create(resource);
      sequences.set(resource, sequence);
      return sequence;
    },
  };
}
