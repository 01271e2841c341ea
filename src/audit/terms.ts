/**
 * Terms as the lines tell them: who believed, from when to when.
 *
 * Belief begins with the first line of the term and ends at its last deadline, or
 * where `lost` was written if that came first. For a process that was killed or
 * frozen that is the deadline: nobody may assume that it stopped earlier.
 */

import type { HistoryLine } from "../history/line.js";
import type { Kinds, LineOf, Moment, Told } from "./moment.js";

export type Deadline = Moment<LineOf<"elected" | "extended">>;
export type Check = Moment<LineOf<"checked">>;

export interface BeliefTerm {
  /** A cloned process is another believer under the same instance. */
  readonly process: string;
  readonly node: string;
  readonly instance: string;
  readonly token: number;
  readonly fromAt: bigint;
  /** Exclusive. Not after `fromAt` when the term was over before it was written down. */
  readonly untilAt: bigint;
  /** The same two, as moments count. */
  readonly fromNs: number;
  readonly untilNs: number;
  /** Lines that carry a deadline, in order. */
  readonly deadlines: readonly Deadline[];
  readonly lost: Moment<LineOf<"lost">> | undefined;
  readonly released: Moment<LineOf<"released">> | undefined;
}

/** One token of one candidacy: what was told of it, and the checks that passed. In order. */
export interface Track {
  readonly token: number;
  readonly told: readonly Told[];
  readonly checks: readonly Check[];
  /** Undefined where no line tells of a deadline. */
  readonly term: BeliefTerm | undefined;
}

/** One instance in one process. */
export interface Candidacy {
  readonly process: string;
  readonly instance: string;
  /** Of all its tokens, in order. */
  readonly told: readonly Told[];
  readonly tracks: readonly Track[];
}

interface TrackDraft {
  readonly token: number;
  readonly told: Told[];
  readonly checks: Check[];
}

interface CandidacyDraft {
  readonly process: string;
  readonly instance: string;
  readonly told: Told[];
  readonly tracks: TrackDraft[];
}

export function candidaciesOf({ told, checked }: Kinds): readonly Candidacy[] {
  const drafts = new Candidacies();
  for (const moment of told) {
    const candidacy = drafts.of(moment.line);
    candidacy.told.push(moment);
    trackOf(candidacy, moment.line.token).told.push(moment);
  }
  for (const moment of checked) trackOf(drafts.of(moment.line), moment.line.token).checks.push(moment);
  return drafts.all().map((candidacy) => ({
    ...candidacy,
    tracks: candidacy.tracks.map((track) => ({ ...track, term: termOf(track.told) })),
  }));
}

class Candidacies {
  readonly #byInstance = new Map<string, CandidacyDraft[]>();
  #last: CandidacyDraft | undefined;

  /** Neighbours mostly belong together. */
  of({ process, instance }: Pick<LineOf<"checked">, "process" | "instance">): CandidacyDraft {
    const last = this.#last;
    if (last?.instance === instance && last.process === process) return last;
    let twins = this.#byInstance.get(instance);
    if (twins === undefined) this.#byInstance.set(instance, (twins = []));
    let candidacy = twins.find((twin) => twin.process === process);
    if (candidacy === undefined) twins.push((candidacy = { process, instance, told: [], tracks: [] }));
    this.#last = candidacy;
    return candidacy;
  }

  all(): readonly CandidacyDraft[] {
    return [...this.#byInstance.values()].flat();
  }
}

function trackOf({ tracks }: CandidacyDraft, token: number): TrackDraft {
  const last = tracks.at(-1);
  if (last?.token === token) return last;
  let track = tracks.find((other) => other.token === token);
  if (track === undefined) tracks.push((track = { token, told: [], checks: [] }));
  return track;
}

/** In order of their beginning. */
export function believed(candidacies: readonly Candidacy[]): readonly BeliefTerm[] {
  return candidacies
    .flatMap(({ tracks }) => tracks.flatMap(({ term }) => term ?? []))
    .toSorted((a, b) => a.fromNs - b.fromNs || a.token - b.token || (a.process < b.process ? -1 : 1));
}

function termOf(told: readonly Told[]): BeliefTerm | undefined {
  const deadlines = told.filter(isDeadline);
  const first = deadlines[0];
  const last = deadlines.at(-1);
  // A loss without a beginning is the business of I6; it is no belief.
  if (first === undefined || last === undefined) return undefined;
  const lost = told.find(isLost);
  const released = told.find(isReleased);
  const isLostFirst = lost !== undefined && lost.ns < last.untilNs;
  const { process, node, instance, token } = first.line;
  return {
    process,
    node,
    instance,
    token,
    fromAt: first.at,
    untilAt: isLostFirst ? lost.at : BigInt(last.line.until),
    fromNs: first.ns,
    untilNs: isLostFirst ? lost.ns : last.untilNs,
    deadlines,
    lost,
    released,
  };
}

export function isDeadline(moment: Told): moment is Deadline {
  return moment.line.event === "elected" || moment.line.event === "extended";
}

export function isLost(moment: Told): moment is Moment<LineOf<"lost">> {
  return moment.line.event === "lost";
}

function isReleased(moment: Told): moment is Moment<LineOf<"released">> {
  return moment.line.event === "released";
}

export function believesAt({ fromNs, untilNs }: BeliefTerm, ns: number): boolean {
  return fromNs <= ns && ns < untilNs;
}

/** The lines that fix when belief began and ended. */
export function evidence(term: BeliefTerm): readonly HistoryLine[] {
  const { deadlines, lost } = term;
  const first = deadlines[0]?.line;
  const last = deadlines.at(-1)?.line;
  return [first, last === first ? undefined : last, lost?.line].filter((line) => line !== undefined);
}
