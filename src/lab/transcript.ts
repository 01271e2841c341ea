/**
 * A run as plain text that reads as a story: facts, then one line a moment with routine folded, then the verdict
 * with the broken promise last, then how to see it again. Same story, same text.
 */

import { fold, type Folded } from "./fold.js";
import type { RunStory } from "./timeline.js";
import { tell } from "./told.js";
import { headline, sums } from "./verdict-words.js";
import { counted, onOneLine, seconds } from "./words.js";

export interface TranscriptOptions {
  /** Only what happened within `withinMs` of `atMs`, without folding. Default: the whole run. */
  readonly around?: { readonly atMs: number; readonly withinMs: number };
}

export function renderTranscript(story: RunStory, { around }: TranscriptOptions = {}): string {
  const { told } = tell(story);
  const { broken, admitted } = story.verdict;
  const near = told.filter(
    ({ atMs }) => around === undefined || Math.abs(atMs - around.atMs) <= around.withinMs,
  );
  const parts = [
    [onOneLine(story.title), ...columns(story.facts)],
    around === undefined
      ? lines(fold(told))
      : [...omitted(told, near[0], "before"), ...lines(near), ...omitted(told, near.at(-1), "after")],
    [`The run ends at ${seconds(story.untilMs)}: ${sums(told)}.`],
    admitted.map((what) => `admitted  ${onOneLine(what)}`),
    [headline(story.verdict), ...broken.map((what) => `BROKEN  ${onOneLine(what)}`)],
    [`Again: ${onOneLine(story.again)}`],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

function columns(facts: RunStory["facts"]): readonly string[] {
  const width = Math.max(0, ...facts.map(([name]) => onOneLine(name).length));
  return facts.map(([name, value]) => `  ${onOneLine(name).padEnd(width)}  ${onOneLine(value)}`);
}

function lines(folded: readonly Folded[]): readonly string[] {
  const rows = folded.map(({ atMs, party, sign, text }) => {
    const time = (atMs / 1_000).toFixed(3);
    return [
      time,
      onOneLine(party),
      sign === "broken" ? `BROKEN  ${onOneLine(text)}` : onOneLine(text),
    ] as const;
  });
  const head = ["seconds", "who", "what"] as const;
  const all = [head, ...rows];
  // Not Math.max(...): a long run has more rows than a call may have arguments.
  const widest = (column: 0 | 1) => all.reduce((most, row) => Math.max(most, row[column].length), 0);
  const [first, second] = [widest(0), widest(1)];
  return all.map(([time, party, text]) => `${time.padStart(first)}  ${party.padEnd(second)}  ${text}`);
}

function omitted(
  told: readonly Folded[],
  edge: Folded | undefined,
  side: "before" | "after",
): readonly string[] {
  const index = edge === undefined ? -1 : told.indexOf(edge);
  const count = side === "before" ? index : told.length - 1 - index;
  return index === -1 || count === 0 ? [] : [`(${counted(count, "line")} ${side} this)`];
}
