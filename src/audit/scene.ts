/** The lines of one election on one boot: only within one boot do instants compare. */

import type { HistoryLine } from "../history/line.js";
import { compareMoments, compareText, groupBy, type Moment, toMoment } from "./moment.js";
import { type BeliefTerm, termsOf } from "./terms.js";

export interface Scene {
  readonly namespace: string;
  readonly election: string;
  readonly boot: string;
  /** First instant of the boot in any election: messages count from here. */
  readonly startAt: bigint;
  /** In order. */
  readonly moments: readonly Moment[];
  readonly terms: readonly BeliefTerm[];
}

/** Sorted by election, then boot. */
export function scenesOf(lines: readonly HistoryLine[]): readonly Scene[] {
  const moments = lines.map(toMoment);
  const starts = new Map<string, bigint>();
  for (const { line, at } of moments) {
    const start = starts.get(line.boot);
    if (start === undefined || at < start) starts.set(line.boot, at);
  }
  const groups = groupBy(moments, ({ line }) => JSON.stringify([line.namespace, line.election, line.boot]));
  return [...groups.entries()]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]) => {
      const sorted = group.toSorted(compareMoments);
      const first = sorted[0];
      if (first === undefined) return [];
      const { namespace, election, boot } = first.line;
      const startAt = starts.get(boot) ?? first.at;
      return [{ namespace, election, boot, startAt, moments: sorted, terms: termsOf(sorted) }];
    });
}
