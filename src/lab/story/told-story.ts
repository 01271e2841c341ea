/**
 * The transcript of a story: what the run tells, without what no reader of a story needs.
 *
 * Short and stable: tokens are numbered in their order, routine is folded, calls and versions are left out.
 */

import type { HistoryLine } from "../../history/line.js";
import { fateMoments } from "../faults/in-words.js";
import type { Outcome } from "../run.js";
import type { Moment, RunStory } from "../timeline.js";
import { renderTranscript } from "../transcript.js";

const leftOut: ReadonlySet<Moment["kind"]> = new Set(["call", "store", "belief", "guard"]);
const unsaid: ReadonlySet<HistoryLine["event"]> = new Set(["checked", "observed"]);

export function transcriptOf(outcome: Outcome, missed: readonly string[], title: string): string {
  const { world, broken, admitted, simulatedMs } = outcome;
  const number = tokenNumbers(world.lines);
  const story: RunStory = {
    title,
    facts: [],
    untilMs: simulatedMs,
    parties: [],
    moments: [...world.moments.filter(isTold), ...fateMoments(outcome.faults)]
      .toSorted((a, b) => a.atMs - b.atMs)
      .map((moment) => ({ ...moment, text: number(moment.text) })),
    lines: world.lines.filter(({ event }) => !unsaid.has(event)).map((line) => numbered(line, number)),
    spans: [],
    verdict: { broken: [...broken, ...missed].map(number), admitted: admitted.map(number) },
    again: "",
  };
  // Title and command stand above, in the story itself.
  return `${renderTranscript(story).split("\n\n").slice(1, -1).join("\n\n")}\n`;
}

/** Who is there from the beginning is said above. */
function isTold({ kind, atMs, text }: Moment): boolean {
  return !leftOut.has(kind) && (atMs > 0 || !text.startsWith("starts"));
}

function numbered(line: HistoryLine, number: (text: string) => string): HistoryLine {
  // Two nodes may share a name; processes do not.
  const told = { ...line, node: line.process };
  return "token" in told ? { ...told, token: Number(number(String(told.token))) } : told;
}

/** Tokens follow wall clocks, which say nothing here. */
function tokenNumbers(lines: readonly HistoryLine[]): (text: string) => string {
  const tokens = new Set(lines.flatMap((line) => ("token" in line ? [line.token] : [])));
  const places = new Map(
    [...tokens].toSorted((a, b) => a - b).map((token, place) => [String(token), place + 1]),
  );
  return (text) => text.replace(/\d+/g, (digits) => String(places.get(digits) ?? digits));
}
