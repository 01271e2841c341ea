/** The lines of one election on one boot: only within one boot do instants compare. */

import type { HistoryLine } from "../history/line.js";
import { Instants, spread } from "./instants.js";
import { byKind, compareMoments, compareText, type Kinds, type Moment } from "./moment.js";
import { type BeliefTerm, believed, type Candidacy, candidaciesOf } from "./terms.js";

export interface Scene {
  readonly namespace: string;
  readonly election: string;
  readonly boot: string;
  /** First instant of the boot in any election: messages count from here. */
  readonly startAt: bigint;
  /** The same, as moments count. */
  readonly startNs: number;
  /** In order. */
  readonly moments: readonly Moment[];
  readonly kinds: Kinds;
  readonly candidacies: readonly Candidacy[];
  readonly terms: readonly BeliefTerm[];
}

/** Sorted by election, then boot. */
export function scenesOf(lines: readonly HistoryLine[]): readonly Scene[] {
  const drafts = new Drafts();
  for (const line of lines) drafts.add(line);
  return drafts.scenes();
}

/** One boot's clock, and its first instant. */
class Boot {
  readonly instants: Instants;
  readonly moments: Stamped[] = [];
  startNs = Number.POSITIVE_INFINITY;
  startAt = 0n;

  constructor(origin: string) {
    this.instants = new Instants(origin);
  }

  moment(line: HistoryLine): Stamped {
    const { instants } = this;
    const hasDeadline = line.event === "elected" || line.event === "extended";
    const untilNs = hasDeadline ? instants.nsOf(line.until) : Number.NaN;
    const moment = new Stamped(line, instants.nsOf(line.at), untilNs);
    this.moments.push(moment);
    return moment;
  }

  finish(): void {
    if (this.instants.isFar) this.#keepApart();
    let [first] = this.moments;
    for (const moment of this.moments) if (first === undefined || moment.ns < first.ns) first = moment;
    if (first === undefined) return;
    this.startNs = first.ns;
    this.startAt = first.at;
  }

  #keepApart(): void {
    const stamps = this.moments.flatMap(({ line }) => ("until" in line ? [line.at, line.until] : [line.at]));
    const numbers = spread(stamps, this.instants.originAt);
    for (const moment of this.moments) {
      const { line } = moment;
      moment.ns = numbers.get(line.at) ?? moment.ns;
      if ("until" in line) moment.untilNs = numbers.get(line.until) ?? moment.untilNs;
    }
  }
}

class Stamped implements Moment {
  readonly line: HistoryLine;
  ns: number;
  untilNs: number;

  constructor(line: HistoryLine, ns: number, untilNs: number) {
    this.line = line;
    this.ns = ns;
    this.untilNs = untilNs;
  }

  get at(): bigint {
    return BigInt(this.line.at);
  }
}

interface Draft {
  readonly namespace: string;
  readonly election: string;
  readonly boot: string;
  readonly clock: Boot;
  readonly moments: Stamped[];
}

class Drafts {
  readonly #boots = new Map<string, Boot>();
  /** By election; namesakes in other namespaces or on other boots are few. */
  readonly #drafts = new Map<string, Draft[]>();
  #last: Draft | undefined;

  add(line: HistoryLine): void {
    const draft = this.#of(line);
    draft.moments.push(draft.clock.moment(line));
  }

  scenes(): readonly Scene[] {
    for (const boot of this.#boots.values()) boot.finish();
    return [...this.#drafts.values()].flat().toSorted(compareDrafts).map(sceneOf);
  }

  #of({ namespace, election, boot, at }: HistoryLine): Draft {
    // Neighbours mostly belong together.
    const last = this.#last;
    if (last?.election === election && last.namespace === namespace && last.boot === boot) return last;
    let namesakes = this.#drafts.get(election);
    if (namesakes === undefined) this.#drafts.set(election, (namesakes = []));
    let draft = namesakes.find((other) => other.namespace === namespace && other.boot === boot);
    if (draft === undefined) {
      const clock = this.#boots.get(boot) ?? new Boot(at);
      this.#boots.set(boot, clock);
      namesakes.push((draft = { namespace, election, boot, clock, moments: [] }));
    }
    this.#last = draft;
    return draft;
  }
}

function compareDrafts(a: Draft, b: Draft): number {
  const { namespace, election, boot } = b;
  return (
    compareText(a.namespace, namespace) || compareText(a.election, election) || compareText(a.boot, boot)
  );
}

function sceneOf({ namespace, election, boot, clock, moments }: Draft): Scene {
  const sorted = isInOrder(moments) ? moments : moments.toSorted(compareMoments);
  const kinds = byKind(sorted);
  const candidacies = candidaciesOf(kinds);
  const { startNs, startAt } = clock;
  const terms = believed(candidacies);
  return { namespace, election, boot, startAt, startNs, moments: sorted, kinds, candidacies, terms };
}

function isInOrder(moments: readonly Moment[]): boolean {
  for (let place = 1; place < moments.length; place += 1) {
    const before = moments[place - 1];
    const after = moments[place];
    if (before !== undefined && after !== undefined && compareMoments(before, after) > 0) return false;
  }
  return true;
}
