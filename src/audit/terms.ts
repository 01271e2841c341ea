/**
 * Terms as the lines tell them: who believed, from when to when.
 *
 * Belief begins with the first line of the term and ends at its last deadline, or
 * where `lost` was written if that came first. For a process that was killed or
 * frozen that is the deadline: nobody may assume that it stopped earlier.
 */

import type { HistoryLine } from "../history/line.js";
import { groupBy, type LineOf, type Moment, select } from "./moment.js";

export interface BeliefTerm {
  /** A cloned process is another believer under the same instance. */
  readonly process: string;
  readonly node: string;
  readonly instance: string;
  readonly token: number;
  readonly fromAt: bigint;
  /** Exclusive. Not after `fromAt` when the term was over before it was written down. */
  readonly untilAt: bigint;
  /** Lines that carry a deadline, in order. */
  readonly deadlines: readonly Moment<LineOf<"elected" | "extended">>[];
  readonly lost: Moment<LineOf<"lost">> | undefined;
  readonly released: Moment<LineOf<"released">> | undefined;
}

/** In order of their beginning. `moments` are sorted. */
export function termsOf(moments: readonly Moment[]): readonly BeliefTerm[] {
  const telling = select(moments, "elected", "extended", "lost", "released");
  const groups = groupBy(telling, ({ line }) => termKey(line));
  return [...groups.values()]
    .flatMap((group) => {
      const deadlines = select(group, "elected", "extended");
      const first = deadlines[0];
      const last = deadlines.at(-1);
      // A loss without a beginning is the business of I6; it is no belief.
      if (first === undefined || last === undefined) return [];
      const lost = select(group, "lost")[0];
      const released = select(group, "released")[0];
      const deadlineAt = BigInt(last.line.until);
      const untilAt = lost !== undefined && lost.at < deadlineAt ? lost.at : deadlineAt;
      const { process, node, instance, token } = first.line;
      return [{ process, node, instance, token, fromAt: first.at, untilAt, deadlines, lost, released }];
    })
    .toSorted((a, b) => (a.fromAt < b.fromAt ? -1 : Number(a.fromAt > b.fromAt)));
}

export function termKey(of: Pick<LineOf<"elected">, "process" | "instance" | "token">): string {
  return JSON.stringify([of.process, of.instance, of.token]);
}

export function believesAt(term: BeliefTerm, at: bigint): boolean {
  return term.fromAt <= at && at < term.untilAt;
}

/** The lines that fix when belief began and ended. */
export function evidence(term: BeliefTerm): readonly HistoryLine[] {
  const { deadlines, lost } = term;
  const first = deadlines[0]?.line;
  const last = deadlines.at(-1)?.line;
  return [first, last === first ? undefined : last, lost?.line].filter((line) => line !== undefined);
}
