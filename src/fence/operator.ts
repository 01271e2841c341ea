/**
 * What an operator does to a guarded resource: looks at earlier acts, and does one more.
 *
 * Each act is one atomic step together with its record, and compares the row with what the
 * operator saw. The rows of leaders are theirs to change by claims; nothing here is for programs
 * that lead.
 */

import { realClock } from "../base/real-clock.js";
import { freshId } from "../base/random.js";
import {
  type Acted,
  type AdoptOrder,
  checkAdopt,
  checkReset,
  decideAct,
  type FenceAct,
  type Ordered,
  type ResetOrder,
} from "./acts.js";
import type { GuardRow } from "./row.js";

export interface FenceOperator {
  /** Acts that were done to this resource, the latest first: as many as are kept, at most 16. */
  acts(): Promise<readonly FenceAct[]>;
  /**
   * Gives the resource to another lineage: from now on its tokens count, and no others. The watermark stays, so that
   * nothing is lowered: a leader of the new lineage whose token is not above it is `outpaced` once and comes back with
   * one that is. Rejects with FENCE_CHANGED when the row is not what was seen.
   */
  adopt(order: AdoptOrder): Promise<FenceAct>;
  /**
   * Sets the watermark, or forgets the row: after a token that should never have been. Whoever holds a token above a
   * lowered watermark could claim again, so stop all of them first. Rejects with FENCE_CHANGED when the row is not
   * what was seen.
   */
  reset(order: ResetOrder): Promise<FenceAct>;
  /** Removes the rows that `verifyFence` has made for this election, in a namespace of its own, and no others. */
  sweep(election: string): Promise<void>;
}

/** Whose rows: none of a leader's, since no election has a lineage of this name. */
export const verifyNamespace = "tenure-fence-verify";

/** What a kind of resource has to be able to do. */
export interface OperatorPort {
  acts(): Promise<readonly FenceAct[]>;
  /**
   * One atomic step, durable before the answer: `decide` is asked once for each time that the resource has moved on,
   * and what it throws is thrown, with nothing changed.
   */
  change(
    row: Pick<Ordered, "namespace" | "election">,
    decide: (row: GuardRow | undefined) => Acted,
  ): Promise<FenceAct>;
  remove(row: Pick<Ordered, "namespace" | "election">): Promise<void>;
}

export function createOperator(port: OperatorPort): FenceOperator {
  const act = async (ordered: Ordered): Promise<FenceAct> => {
    const owner = `operator-${freshId()}`;
    return port.change(ordered, (row) => decideAct(row, ordered, realClock.wallMs(), owner));
  };
  return {
    acts: async () => port.acts(),
    adopt: async (order) => act(checkAdopt(order)),
    reset: async (order) => act(checkReset(order)),
    sweep: async (election) => port.remove({ namespace: verifyNamespace, election }),
  };
}
