/**
 * What the page's script is given: a run as lanes, bars and events, small enough for a run of many lines.
 *
 * Only numbers, names and sentences; no markup. Instants are milliseconds of true time, to the microsecond. A lane is
 * named by its index.
 */

import { type BeliefTerm, overlapsOf, type Scene } from "../../audit/index.js";
import type { Party, RunStory, WorldSpan } from "../timeline.js";
import { msOf, type Sign, type Told, type ToldRun } from "../told.js";
import { endInWords, seconds, stateInWords } from "../words.js";

export interface PageData {
  readonly untilMs: number;
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly spans: readonly Span[];
  readonly overlaps: readonly Overlap[];
  readonly watermarks: readonly Watermark[];
  readonly signs: readonly Sign[];
  readonly events: readonly Event[];
}

export interface Lane {
  readonly name: string;
  readonly kind: "world" | Party["kind"];
  readonly note: string;
}

/** Belief of one term. */
export interface Bar {
  readonly lane: number;
  readonly token: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** In turn: instant, deadline as known from then on. */
  readonly deadlines: readonly number[];
  /** In turn: from, until. The term was uncertain, or nothing was heard of it any more. */
  readonly doubts: readonly number[];
  /** End of the drain, if the lease was still kept for the work to settle. */
  readonly drainedMs: number | null;
  readonly end: string;
}

export interface Span {
  readonly lane: number;
  readonly kind: WorldSpan["kind"];
  readonly fromMs: number;
  readonly untilMs: number;
  /** "is stopped", for the state at an instant. */
  readonly state: string;
  readonly text: string;
}

/** Two beliefs at one instant. */
export interface Overlap {
  readonly lanes: readonly [number, number];
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Watermark {
  readonly lane: number;
  readonly atMs: number;
  readonly token: number;
  /** Lane of the node that claimed; -1 when it has none. */
  readonly by: number;
}

/** `by`: lane of the node that a resource answers, -1 for none. An array, because there are many. */
export type Event = readonly [atMs: number, lane: number, sign: number, text: string, by: number];

export function pageData(story: RunStory, { told, scenes }: ToldRun): PageData {
  const lanes = new Lanes(story, told);
  const signs = [...new Set(told.map(({ sign }) => sign))].toSorted();
  return {
    untilMs: round(story.untilMs),
    lanes: lanes.all,
    bars: scenes.flatMap((scene) => scene.terms.map((term) => barOf(term, scene, story.untilMs, lanes))),
    spans: story.spans.map(({ party, kind, fromMs, untilMs, text }) => {
      const [from, until] = [round(fromMs), round(Math.min(untilMs, story.untilMs))];
      return { lane: lanes.of(party), kind, fromMs: from, untilMs: until, state: stateInWords(kind), text };
    }),
    overlaps: scenes.flatMap(({ terms }) => overlapsIn(terms, lanes)),
    watermarks: watermarksOf(story, lanes),
    signs,
    events: told.map(({ atMs, party, sign, text, by }) => {
      return [round(atMs), lanes.of(party), signs.indexOf(sign), text, by === undefined ? -1 : lanes.of(by)];
    }),
  };
}

/** The world first, then the parties in their order, then whoever else is spoken of. */
class Lanes {
  readonly all: readonly Lane[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(story: RunStory, told: readonly Told[]) {
    const known = new Map<string, Lane>([["world", { name: "world", kind: "world", note: "faults" }]]);
    for (const { name, kind, note = "" } of story.parties) known.set(name, { name, kind, note });
    const resources = new Set(story.lines.flatMap((line) => ("resource" in line ? [line.resource] : [])));
    const spoken = [
      ...told.flatMap(({ party, by = party }) => [party, by]),
      ...story.spans.map(({ party }) => party),
    ];
    for (const name of spoken) {
      const kind = resources.has(name) ? "resource" : name === "store" ? "store" : "node";
      if (!known.has(name)) known.set(name, { name, kind, note: "" });
    }
    this.all = [...known.values()];
    this.#indexes = new Map([...known.keys()].map((name, index) => [name, index]));
  }

  of(name: string): number {
    return this.#indexes.get(name) ?? 0;
  }
}

function barOf(term: BeliefTerm, scene: Scene, endMs: number, lanes: Lanes): Bar {
  const { lost, released, token } = term;
  const untilMs = Math.min(msOf(String(term.untilAt)), endMs);
  const deadlines = term.deadlines.flatMap(({ at, line }) => [at, BigInt(line.until)]);
  const drained =
    lost !== undefined && released !== undefined && released.at > lost.at ? released.at : undefined;
  return {
    lane: lanes.of(term.node),
    token,
    fromMs: round(msOf(String(term.fromAt))),
    untilMs: round(untilMs),
    deadlines: deadlines.map((at) => round(msOf(String(at)))),
    doubts: doubtsOf(term, scene, untilMs, endMs),
    drainedMs: drained === undefined ? null : round(Math.min(msOf(String(drained)), endMs)),
    end: endOf(term, endMs),
  };
}

function endOf({ lost, untilAt }: BeliefTerm, endMs: number): string {
  const untilMs = msOf(String(untilAt));
  if (lost !== undefined) return endInWords(lost.line.reason);
  return untilMs >= endMs ? "the run ends" : `its deadline, ${seconds(untilMs)}`;
}

/**
 * From each `uncertain` to the next confirmed renewal. A term that ran into its deadline is in doubt since its last
 * word: its process may have been dead by then.
 */
function doubtsOf(term: BeliefTerm, scene: Scene, untilMs: number, endMs: number): readonly number[] {
  const doubts: number[] = [];
  let since: number | undefined;
  let last = msOf(String(term.fromAt));
  for (const { at, line } of scene.moments) {
    if (!("instance" in line) || line.instance !== term.instance || line.process !== term.process) continue;
    if (line.token !== term.token) continue;
    const atMs = msOf(String(at));
    if (atMs >= untilMs) break;
    last = atMs;
    if (line.event === "uncertain") since ??= atMs;
    if (line.event === "extended" || line.event === "confirmed") {
      if (since !== undefined) doubts.push(since, atMs);
      since = undefined;
    }
  }
  const lapsed = term.lost === undefined || term.lost.at >= term.untilAt;
  if (lapsed && untilMs < endMs) since ??= last;
  return [...doubts, ...(since === undefined ? [] : [since, untilMs])].map(round);
}

function overlapsIn(terms: readonly BeliefTerm[], lanes: Lanes): readonly Overlap[] {
  return overlapsOf(terms).map(({ earlier, later, ns }) => {
    const until = later.fromAt + ns;
    const [fromMs, untilMs] = [msOf(String(later.fromAt)), msOf(String(until))];
    return {
      lanes: [lanes.of(earlier.node), lanes.of(later.node)],
      fromMs: round(fromMs),
      untilMs: round(untilMs),
    };
  });
}

function watermarksOf({ lines }: RunStory, lanes: Lanes): readonly Watermark[] {
  const claims = lines.flatMap((line) => (line.event === "claimed" ? [line] : []));
  const nodes = new Map(
    lines.flatMap((line) => (line.event === "elected" ? [[line.instance, line.node]] : [])),
  );
  const highest = new Map<number, number>();
  return claims
    .toSorted((a, b) => msOf(a.at) - msOf(b.at))
    .flatMap(({ at, resource, token, instance, node }) => {
      const lane = lanes.of(resource);
      if (token <= (highest.get(lane) ?? -1)) return [];
      highest.set(lane, token);
      return [{ lane, atMs: round(msOf(at)), token, by: lanes.of(nodes.get(instance) ?? node) }];
    });
}

function round(ms: number): number {
  return Number(ms.toFixed(3));
}
