/** Numbers that somebody else chose: for whoever sends writes twice, out of order or under a used number, on purpose. */

import { freshId } from "../base/random.js";
import type { Attempt, Sequence } from "./fence.js";

/** Hands out these numbers, one after the other, whatever became of the ones before. */
export function scriptedSequence(resource: string, numbers: readonly number[]): Sequence {
  const left = [...numbers];
  const inUse = new Map<number, string>();
  const settle = ({ seq }: Attempt) => void inUse.delete(seq);
  return {
    resource,
    next(opId = freshId()) {
      const seq = left.shift();
      if (seq === undefined) throw new Error("no number is left");
      inUse.set(seq, opId);
      return { resource, seq, opId };
    },
    holds: ({ seq, opId }) => inUse.get(seq) === opId,
    commit: settle,
    giveBack: settle,
    resume: () => {},
  };
}
