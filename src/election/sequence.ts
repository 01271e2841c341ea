/**
 * Numbers for the writes of one term to one resource: each is spent by a commit, and by nothing else.
 */

import { freshId } from "../base/random.js";
import { optionError } from "../base/options.js";
import type { Attempt, Sequence } from "../fence/fence.js";

export function createSequence(resource: string): Sequence {
  let highest = 0;
  const inUse = new Set<number>();
  const free = new Set<number>();

  function settle(attempt: Attempt): number {
    if (attempt.resource !== resource || !inUse.delete(attempt.seq)) {
      throw optionError(
        "attempt",
        `${attempt.resource}#${attempt.seq}`,
        `an attempt of "${resource}" still in use`,
      );
    }
    return attempt.seq;
  }

  return {
    resource,
    next(opId = freshId()) {
      const reused = free.size > 0 ? Math.min(...free) : undefined;
      const seq = reused ?? highest + 1;
      free.delete(seq);
      highest = Math.max(highest, seq);
      inUse.add(seq);
      return { resource, seq, opId };
    },
    commit(attempt) {
      settle(attempt);
    },
    giveBack(attempt) {
      free.add(settle(attempt));
    },
    resume(seq) {
      highest = Math.max(highest, seq);
      for (const number of free) if (number <= seq) free.delete(number);
    },
  };
}
