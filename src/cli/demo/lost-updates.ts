/** Which acknowledged operations are gone, whose they were, and what stands in their place. */

import type { Posting } from "./ledger.js";
import type { Acknowledged } from "./work-line.js";

export interface LostUpdates {
  readonly node: string;
  readonly token: number;
  /** In the order in which they were done, from number `fromNumber` on. */
  readonly opIds: readonly string[];
  readonly fromNumber: number;
  /** What stands as number `fromNumber` now; undefined when nothing does. */
  readonly overwrittenBy: Pick<Posting, "opId" | "token"> | undefined;
}

/** One for each run of operations that one leader did one after the other. */
export function lostUpdates(
  acknowledged: readonly Acknowledged[],
  postings: readonly Pick<Posting, "opId" | "token">[],
): readonly LostUpdates[] {
  const standing = new Set(postings.map(({ opId }) => opId));
  const gone = acknowledged
    .filter(({ opId }) => !standing.has(opId))
    .toSorted((a, b) => a.token - b.token || a.number - b.number);
  const lost: LostUpdates[] = [];
  for (const { node, token, opId, number } of gone) {
    const last = lost.at(-1);
    const goesOn = last?.token === token && number === last.fromNumber + last.opIds.length;
    if (goesOn) lost[lost.length - 1] = { ...last, opIds: [...last.opIds, opId] };
    else lost.push({ node, token, opIds: [opId], fromNumber: number, overwrittenBy: postings[number - 1] });
  }
  return lost;
}
