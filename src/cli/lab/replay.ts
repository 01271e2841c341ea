/** `tenure lab replay`: one seed again, exactly, told as a story or shown as a page. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { renderPage } from "../../lab/page/page.js";
import { renderTranscript } from "../../lab/transcript.js";
import type { RunStory } from "../../lab/timeline.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Invocation, Verb } from "../verb.js";
import { checkPage, repeat, tellRun } from "./page.js";
import { highestSeed, seriesOf, seriesOptions } from "./series-options.js";

/** On either side of the instant that is asked for. */
const aroundMs = 5_000;

export const labReplay: Verb = {
  name: "lab replay",
  everyday: false,
  summary: "one simulated world again, exactly, as a story and as a page",
  about: `The same seed with the same options is the same run, to the last byte of what is printed. Exit code 123: it broke a
promise, which stands last.`,
  positionals: [],
  settings: [],
  options: [
    { name: "seed", kind: "count", value: "N", min: 1, max: highestSeed, about: "which one; required" },
    ...seriesOptions,
    {
      name: "around",
      kind: "count",
      value: "MS",
      min: 0,
      max: 1e9,
      about: `only the ${aroundMs / 1_000} s before and after this simulated millisecond, without folding`,
    },
    { name: "html", kind: "text", value: "FILE", about: "write it there as a page" },
    {
      name: "json",
      kind: "switch",
      about: "print one JSON object (schema tenure.lab-replay/1), without the story",
    },
  ],
  run: runReplay,
};

async function runReplay({ flags }: Invocation, terminal: Terminal): Promise<number> {
  const seed = flags.count("seed");
  if (seed === undefined) throw usageError("lab replay needs --seed N: see tenure lab replay --help");
  const json = flags.has("json");
  const atMs = flags.count("around");
  if (json && atMs !== undefined) throw usageError("--json prints no story, so --around has no say");
  const series = seriesOf(flags);
  const html = flags.text("html");
  if (html !== undefined) checkPage(html, terminal.directory);
  const outcome = await repeat(series, seed);
  const story = tellRun(outcome, series);
  if (html !== undefined) writeFileSync(resolve(terminal.directory, html), renderPage(story));
  if (json)
    printJson(terminal, {
      schema: "tenure.lab-replay/1",
      seed,
      profile: series.profile,
      broken: outcome.broken,
      admitted: outcome.admitted,
      simulatedMs: outcome.simulatedMs,
      faults: outcome.faults,
      counts: outcome.counts,
      replay: story.again,
    });
  else terminal.out(transcript(story, atMs));
  return outcome.broken.length > 0 ? exitCodes.checkFailed : exitCodes.done;
}

function transcript(story: RunStory, atMs: number | undefined): string {
  return renderTranscript(
    story,
    atMs === undefined ? {} : { around: { atMs, withinMs: aroundMs } },
  ).trimEnd();
}
