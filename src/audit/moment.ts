/**
 * A history line with its instant, and the one order of lines.
 *
 * The order rests on the lines alone, never on the order in which they were handed
 * in: by instant, then by what comes first in a term, then by what they say.
 */

import type { HistoryLine } from "../history/line.js";

export interface Moment<L extends HistoryLine = HistoryLine> {
  /** Nanoseconds from an instant that all lines of the boot share. */
  readonly ns: number;
  /** The deadline that the line tells of, likewise; without one not a number. */
  readonly untilNs: number;
  readonly line: L;
  /** The stamp itself. */
  readonly at: bigint;
}

/** The lines of these events, also where several events share one shape. */
export type LineOf<E extends HistoryLine["event"]> = Telling<HistoryLine, E>;

type Telling<L extends HistoryLine, E> = L extends HistoryLine
  ? [Extract<L["event"], E>] extends [never]
    ? never
    : L & { readonly event: Extract<L["event"], E> }
  : never;

/** The moments of one kind of line, in order. */
export interface Kinds {
  readonly told: readonly Moment<
    LineOf<"elected" | "extended" | "uncertain" | "confirmed" | "lost" | "released">
  >[];
  readonly checked: readonly Moment<LineOf<"checked">>[];
  readonly observed: readonly Moment<LineOf<"observed">>[];
  /** What a resource accepted. */
  readonly decided: readonly Moment<LineOf<"claimed" | "applied">>[];
  readonly refused: readonly Moment<LineOf<"refused">>[];
  readonly demanded: readonly Moment<LineOf<"leader-by">>[];
  readonly stored: readonly Moment<LineOf<"store">>[];
  readonly faults: readonly Moment<LineOf<"fault">>[];
}

export type Told = Kinds["told"][number];

const kinds: Readonly<Record<HistoryLine["event"], keyof Kinds>> = {
  elected: "told",
  extended: "told",
  uncertain: "told",
  confirmed: "told",
  lost: "told",
  released: "told",
  checked: "checked",
  observed: "observed",
  claimed: "decided",
  applied: "decided",
  refused: "refused",
  "leader-by": "demanded",
  store: "stored",
  fault: "faults",
};

export function byKind(moments: readonly Moment[]): Kinds {
  const sorted = {
    told: [],
    checked: [],
    observed: [],
    decided: [],
    refused: [],
    demanded: [],
    stored: [],
    faults: [],
  } satisfies Kinds;
  // The table says which line belongs where.
  for (const moment of moments) (sorted[kinds[moment.line.event]] as Moment[]).push(moment);
  return sorted;
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** A whole number of nanoseconds, as stamps are. */
export function nsIn(ms: number): number {
  return Math.round(ms * 1e6);
}

/** On a simulated clock several lines share one instant; within a term this is their natural order. */
const ranks: ReadonlyMap<HistoryLine["event"], number> = new Map(
  (
    [
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
    ] as const
  ).map((event, rank) => [event, rank]),
);

export function compareMoments(a: Moment, b: Moment): number {
  if (a.ns !== b.ns) return a.ns - b.ns;
  return (
    compareLines(a.line, b.line) ||
    // Of two renewals that are confirmed at once the longer one counts: a deadline never moves back.
    (a.untilNs || 0) - (b.untilNs || 0) ||
    compareText(JSON.stringify(a.line), JSON.stringify(b.line))
  );
}

function compareLines(a: HistoryLine, b: HistoryLine): number {
  const rank = (ranks.get(a.event) ?? -1) - (ranks.get(b.event) ?? -1);
  if (rank !== 0) return rank;
  // A resource that accepts several writes at once accepts them in the order in which they may come.
  const order = (numberOf(a, "token") ?? 0) - (numberOf(b, "token") ?? 0);
  if (order !== 0) return order;
  const seq = (numberOf(a, "seq") ?? 0) - (numberOf(b, "seq") ?? 0);
  if (seq !== 0) return seq;
  return compareText(a.process, b.process);
}

function numberOf(line: HistoryLine, field: "token" | "seq"): number | undefined {
  return (line as { readonly token?: number; readonly seq?: number })[field];
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
