/**
 * What the page's script is given: a run as lanes, bars and events, small enough for a run of many lines.
 *
 * Only numbers, names and sentences; no markup. Instants are milliseconds of true time, to the microsecond. A lane is
 * named by its index.
 */

import { type BeliefTerm, overlapsOf, type Scene } from "../../audit/index.js";
import type { Sign, Told } from "../sentence.js";
import type { Party, RunStory, WorldSpan } from "../timeline.js";
import { msOf, type ToldRun } from "../told.js";
import { endInWords, seconds, stateInWords } from "../words.js";

export interface PageData {
  readonly untilMs: number;
  /** Where the cursor stands at first: at what went wrong, else at the first refusal, else at the first leader. */
  readonly firstMs: number;
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
  readonly spans: readonly Span[];
  readonly overlaps: readonly Overlap[];
  readonly watermarks: readonly Watermark[];
  readonly signs: readonly ShownSign[];
  readonly events: readonly Event[];
}

/** How the chart shows what happened. */
export interface ShownSign {
  readonly sign: Sign;
  /** From the top of its lane; 0 for what has no mark, because a bar or a span shows it. */
  readonly heightPx: number;
  /** It happens so often that its number matters more than each of it. */
  readonly often: boolean;
}

export interface Lane {
  readonly name: string;
  readonly kind: "world" | Party["kind"];
  readonly note: string;
  /** Class that gives a node its colour. */
  readonly colour: string;
}

/** Belief of one term. */
export interface Bar {
  readonly lane: number;
  readonly token: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Until when the work of the term had settled; `untilMs` when nothing says. */
  readonly settledMs: number;
  readonly deadlines: readonly Deadline[];
  /** The term was uncertain, or nothing was heard of it any more. */
  readonly doubts: readonly (readonly [fromMs: number, untilMs: number])[];
  readonly text: string;
}

/** What was known from an instant on. */
export type Deadline = readonly [atMs: number, deadlineMs: number];

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
  readonly text: string;
}

export interface Watermark {
  readonly lane: number;
  readonly fromMs: number;
  readonly untilMs: number;
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
    firstMs: firstInstant(told, scenes),
    lanes: lanes.all,
    bars: scenes.flatMap((scene) => scene.terms.map((term) => barOf(term, scene, story.untilMs, lanes))),
    spans: story.spans.map(({ party, kind, fromMs, untilMs, text }) => {
      const state = stateInWords(kind);
      const until = round(Math.min(untilMs, story.untilMs));
      return { lane: lanes.of(party), kind, fromMs: round(fromMs), untilMs: until, state, text };
    }),
    overlaps: scenes.flatMap(({ terms }) => overlapsIn(terms, lanes)),
    watermarks: watermarksOf(story, lanes),
    signs: signs.map(shownSign),
    events: told.map(({ atMs, party, sign, text, by }) => {
      return [round(atMs), lanes.of(party), signs.indexOf(sign), text, by === undefined ? -1 : lanes.of(by)];
    }),
  };
}

function firstInstant(told: readonly Told[], scenes: readonly Scene[]): number {
  const overlaps = scenes.flatMap(({ terms }) => overlapsOf(terms).map(({ later }) => inMs(later.fromAt)));
  const wrong = told.find(({ sign }) => sign === "broken" || sign === "slipped");
  if (wrong !== undefined) return round(Math.min(wrong.atMs, ...overlaps));
  const notable = (["refused", "elected"] as const).flatMap(
    (sign) => told.find((one) => one.sign === sign) ?? [],
  );
  return overlaps[0] ?? round(notable[0]?.atMs ?? 0);
}

/** Distances from the top of a lane, of those signs that have a mark. Bars take the middle of a node's lane. */
const heightsPx: Partial<Record<Sign, number>> = {
  ...{ elected: 9, uncertain: 9, confirmed: 9, lost: 9, lapsed: 9, released: 9 },
  ...{ process: 9, belief: 9, observed: 9, call: 9, checked: 50 },
  ...{ claimed: 18, guard: 18, applied: 34, slipped: 34, refused: 50 },
  ...{ store: 21, fault: 15, asked: 15, broken: 15 },
};
const often: ReadonlySet<Sign> = new Set(["checked", "applied", "call", "store", "observed"]);

function shownSign(sign: Sign): ShownSign {
  return { sign, heightPx: heightsPx[sign] ?? 0, often: often.has(sign) };
}

const colourCount = 6;

const order: readonly Lane["kind"][] = ["world", "node", "store", "resource"];

/** The world, the nodes, what they ask, what they write to; each in the order of the story, with whoever is spoken of. */
class Lanes {
  readonly all: readonly Lane[];
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(story: RunStory, told: readonly Told[]) {
    const parties = new Map<string, Omit<Lane, "colour">>([
      ["world", { name: "world", kind: "world", note: "faults" }],
    ]);
    for (const { name, kind, note = "" } of story.parties) parties.set(name, { name, kind, note });
    const resources = new Set(story.lines.flatMap((line) => ("resource" in line ? [line.resource] : [])));
    const spoken = told.flatMap(({ party, by = party }) => [party, by]);
    for (const name of [...spoken, ...story.spans.map(({ party }) => party)]) {
      const kind = resources.has(name) ? "resource" : name === "store" ? "store" : "node";
      if (!parties.has(name)) parties.set(name, { name, kind, note: "" });
    }
    const sorted = order.flatMap((kind) => [...parties.values()].filter((party) => party.kind === kind));
    const nodes = sorted.filter(({ kind }) => kind === "node");
    this.all = sorted.map((party) => {
      const number = nodes.indexOf(party);
      return { ...party, colour: number === -1 ? "plain" : `c${number % colourCount}` };
    });
    this.#indexes = new Map(sorted.map(({ name }, index) => [name, index]));
  }

  of(name: string): number {
    return this.#indexes.get(name) ?? 0;
  }
}

function barOf(term: BeliefTerm, scene: Scene, endMs: number, lanes: Lanes): Bar {
  const { lost, released, token } = term;
  const [fromMs, untilMs] = [inMs(term.fromAt), Math.min(inMs(term.untilAt), endMs)];
  const settledMs = lost === undefined || released === undefined ? untilMs : inMs(released.at);
  const text = `believes from ${seconds(fromMs)} to ${seconds(untilMs)}, token ${token}. End: ${endOf(term, endMs)}`;
  return {
    lane: lanes.of(term.node),
    token,
    fromMs,
    untilMs,
    settledMs: Math.min(settledMs, endMs),
    deadlines: term.deadlines.map(({ at, line }) => [inMs(at), inMs(BigInt(line.until))]),
    doubts: doubtsOf(term, scene, untilMs, endMs),
    text,
  };
}

function endOf({ lost, untilAt }: BeliefTerm, endMs: number): string {
  if (lost !== undefined) return endInWords(lost.line.reason);
  return inMs(untilAt) >= endMs ? "the run ends" : "its deadline";
}

/**
 * From each `uncertain` to the next confirmed renewal. A term that ran into its deadline is in doubt since its last
 * word: its process may have been dead by then.
 */
function doubtsOf(term: BeliefTerm, scene: Scene, untilMs: number, endMs: number): Bar["doubts"] {
  const doubts: (readonly [number, number])[] = [];
  let since: number | undefined;
  let last = inMs(term.fromAt);
  for (const { at, line } of scene.moments) {
    if (!("instance" in line) || line.instance !== term.instance || line.process !== term.process) continue;
    const atMs = inMs(at);
    if (atMs >= untilMs) break;
    last = atMs;
    if (line.event === "uncertain") since ??= atMs;
    if (line.event !== "extended") continue;
    if (since !== undefined) doubts.push([since, atMs]);
    since = undefined;
  }
  const lapsed = term.lost === undefined || term.lost.at > term.untilAt;
  if (lapsed && untilMs < endMs) since ??= last;
  return since === undefined ? doubts : [...doubts, [since, untilMs]];
}

function overlapsIn(terms: readonly BeliefTerm[], lanes: Lanes): readonly Overlap[] {
  return overlapsOf(terms).map(({ earlier, later, ns }) => {
    const [fromMs, untilMs] = [inMs(later.fromAt), inMs(later.fromAt + ns)];
    const text = `two leaders for ${inMs(ns)} ms`;
    return { lanes: [lanes.of(earlier.node), lanes.of(later.node)], fromMs, untilMs, text };
  });
}

/** Each claim that raised the watermark of a resource, until the next. */
function watermarksOf({ lines, untilMs }: RunStory, lanes: Lanes): readonly Watermark[] {
  const nodes = new Map(
    lines.flatMap((line) => (line.event === "elected" ? [[line.instance, line.node]] : [])),
  );
  const claims = lines
    .flatMap((line) => (line.event === "claimed" ? [line] : []))
    .map((line) => ({ ...line, lane: lanes.of(line.resource), fromMs: round(msOf(line.at)) }))
    .toSorted((a, b) => a.fromMs - b.fromMs);
  const highest = new Map<number, number>();
  const raised = claims.filter(({ lane, token }) => {
    const raises = token > (highest.get(lane) ?? -1);
    if (raises) highest.set(lane, token);
    return raises;
  });
  return raised.map(({ lane, fromMs, token, instance, node }, index) => {
    const next = raised.slice(index + 1).find((claim) => claim.lane === lane);
    const by = lanes.of(nodes.get(instance) ?? node);
    return { lane, fromMs, untilMs: next?.fromMs ?? round(untilMs), token, by };
  });
}

function inMs(ns: bigint): number {
  return round(Number(ns) / 1e6);
}

function round(ms: number): number {
  return Number(ms.toFixed(3));
}
