/**
 * A run as a list of sentences in true time: moments, spans and history lines together, each told once.
 *
 * The page and the transcript say the same because both are made from this list. It judges nothing, with one
 * exception that a reader must not miss: a write that was applied below a watermark. And it says one thing that
 * nobody wrote down: that a belief ended at its deadline, while its process was dead or stood still.
 */

import { type Scene, scenesOf } from "../audit/index.js";
import type { HistoryLine } from "../history/line.js";
import type { Told } from "./sentence.js";
import { LineTeller } from "./told-lines.js";
import type { Moment, RunStory, WorldSpan } from "./timeline.js";
import { seconds, stateInWords } from "./words.js";

/** A run as it is shown: the sentences, in order of time, and the beliefs of each election. */
export interface ToldRun {
  readonly told: readonly Told[];
  readonly scenes: readonly Scene[];
}

export function tell(story: RunStory): ToldRun {
  // True time compares everywhere, whatever boot a machine was in.
  const scenes = scenesOf(story.lines.map((line) => ({ ...line, boot: "true time" })));
  return { told: sentences(story, scenes), scenes };
}

function sentences(story: RunStory, scenes: readonly Scene[]): readonly Told[] {
  const teller = new LineTeller(story.lines);
  const lines = sortedByTime(story.lines.map((line) => ({ atMs: msOf(line.at), line }))).map(
    ({ atMs, line }) => teller.tell(atMs, line),
  );
  const known = new Set(lines.flatMap(sameness));
  const moments = story.moments.filter((moment) => !known.has(key(moment.atMs, moment.party, moment.kind)));
  const broken = moments.filter(({ kind }) => kind === "broken");
  const others = moments.filter(({ kind }) => kind !== "broken");
  // Of one instant: what the world does, what it does to a party, what the party makes of it, what that breaks.
  return sortedByTime([
    ...others.map(tellMoment),
    ...story.spans.map((span) => tellSpan(span, story.untilMs)),
    ...lapses(scenes, story.untilMs),
    ...lines,
    ...broken.map(tellMoment),
  ]);
}

/** Beliefs that ended at their deadline: a loss that was noticed later, or never, is another line. */
function lapses(scenes: readonly Scene[], endMs: number): readonly Told[] {
  return scenes.flatMap(({ terms }) =>
    terms.flatMap(({ node: party, token, fromAt, untilAt, lost }): readonly Told[] => {
      const atMs = msOf(String(untilAt));
      if (untilAt <= fromAt || atMs > endMs || (lost !== undefined && lost.at <= untilAt)) return [];
      return [
        { atMs, party, sign: "lapsed", text: `believes no more: the deadline of token ${token} has passed` },
      ];
    }),
  );
}

/** Nanoseconds in a double are exact for 104 days, and a run is shorter. */
export function msOf(ns: HistoryLine["at"]): number {
  return Number(ns) / 1e6;
}

/** Stable: what has the same instant keeps its order. */
function sortedByTime<T extends { readonly atMs: number }>(items: readonly T[]): readonly T[] {
  return items.toSorted((a, b) => a.atMs - b.atMs);
}

function key(atMs: number, party: string, kind: string): string {
  return JSON.stringify([atMs.toFixed(3), party, kind]);
}

/** What a moment would look like that tells the same as this line. */
function sameness({ atMs, party, sign, by }: Told): readonly string[] {
  const atResource = sign === "claimed" || sign === "applied" || sign === "slipped" || sign === "refused";
  const kind = atResource ? "guard" : "belief";
  return [party, ...(by === undefined ? [] : [by])].map((name) => key(atMs, name, kind));
}

function tellMoment({ atMs, party, kind, text }: Moment): Told {
  const told = { atMs, party, sign: kind, text };
  // A renewal is a call each time; what is worth a line of its own has words of its own.
  if (kind !== "call" && kind !== "store") return told;
  return { ...told, routine: { key: JSON.stringify([party, kind, text]), many: [`${text} (`, " times)"] } };
}

function tellSpan({ party, kind, fromMs, untilMs, text }: WorldSpan, endMs: number): Told {
  const until = untilMs >= endMs ? "the end" : seconds(untilMs);
  const what = text === "" ? "" : `: ${text}`;
  return { atMs: fromMs, party, sign: "span", text: `${stateInWords(kind)} until ${until}${what}` };
}
