/**
 * A run as plain text that reads as a story: facts, then one line a moment with routine folded, then the verdict
 * with the broken promise last, then how to see it again. Same story, same text.
 */

import { fold, type Folded } from "./fold.js";
import type { Told } from "./sentence.js";
import type { RunStory } from "./timeline.js";
import { tell } from "./told.js";
import { headline, sums } from "./verdict-words.js";
import { counted, onOneLine, seconds } from "./words.js";

export interface TranscriptOptions {
  /** Only this part, without folding. Default: the whole run. */
  readonly around?: Around;
}

/** What happened at most `withinMs` before or after `atMs`. */
interface Around {
  readonly atMs: number;
  readonly withinMs: number;
}

export function renderTranscript(story: RunStory, { around }: TranscriptOptions = {}): string {
  const { told } = tell(story);
  const { broken, admitted } = story.verdict;
  const parts = [
    [onOneLine(story.title), ...columns(story.facts)],
    around === undefined ? lines(fold(told)) : part(told, around),
    [`The run ends at ${seconds(story.untilMs)}: ${sums(told)}.`],
    admitted.map((what) => `admitted  ${onOneLine(what)}`),
    [headline(story.verdict), ...broken.map((what) => `BROKEN  ${onOneLine(what)}`)],
    [`Again: ${onOneLine(story.again)}`],
  ];
  return `${parts
    .filter(({ length }) => length > 0)
    .map((rows) => rows.join("\n"))
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

/** What is near, and how much is left out on either side. */
function part(told: readonly Told[], around: Around): readonly string[] {
  const { atMs, withinMs } = around;
  const before = told.filter((one) => one.atMs < atMs - withinMs).length;
  const after = told.filter((one) => one.atMs > atMs + withinMs).length;
  const near = told.slice(before, told.length - after);
  if (near.length === 0) return [`(none of ${counted(told.length, "line")})`];
  return [...omitted(before, "before"), ...lines(near), ...omitted(after, "after")];
}

function omitted(count: number, side: "before" | "after"): readonly string[] {
  return count === 0 ? [] : [`(${counted(count, "line")} ${side} this)`];
}
