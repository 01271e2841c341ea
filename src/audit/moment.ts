/**
 * A history line with its instant, and the one order of lines.
 *
 * The order rests on the lines alone, never on the order in which they were handed
 * in: by instant, then by what comes first in a term, then by their text.
 */

import type { HistoryLine } from "../history/line.js";

export interface Moment<L extends HistoryLine = HistoryLine> {
  readonly at: bigint;
  readonly line: L;
}

/** The lines of these events, also where several events share one shape. */
export type LineOf<E extends HistoryLine["event"]> = Telling<HistoryLine, E>;

type Telling<L extends HistoryLine, E> = L extends HistoryLine
  ? [Extract<L["event"], E>] extends [never]
    ? never
    : L & { readonly event: Extract<L["event"], E> }
  : never;

export function toMoment(line: HistoryLine): Moment {
  return { at: BigInt(line.at), line };
}

/** The moments of some events, with their lines' types. */
export function select<E extends HistoryLine["event"]>(
  moments: readonly Moment[],
  ...events: readonly E[]
): readonly Moment<LineOf<E>>[] {
  const wanted: ReadonlySet<string> = new Set(events);
  return moments.filter((moment): moment is Moment<LineOf<E>> => wanted.has(moment.line.event));
}

export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** On a simulated clock several lines share one instant; within a term this is their natural order. */
const natural: readonly HistoryLine["event"][] = [
  "elected",
  "claimed",
  "applied",
  "refused",
  "checked",
  "uncertain",
  "extended",
  "confirmed",
  "lost",
  "released",
];

export function compareMoments(a: Moment, b: Moment): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  const rank = natural.indexOf(a.line.event) - natural.indexOf(b.line.event);
  return rank === 0 ? compareText(JSON.stringify(a.line), JSON.stringify(b.line)) : rank;
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
