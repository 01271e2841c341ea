/** `tenure lab replay`: one seed again, exactly, told as a story or shown as a page; and what is left of it when it is cut. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Outcome, run } from "../../lab/run.js";
import { plannerOf, type Series } from "../../lab/series.js";
import { shrink } from "../../lab/shrink.js";
import { storyOf } from "../../lab/story-of-run.js";
import { storyOfRun } from "../../lab/story/of-run.js";
import { printStory } from "../../lab/story/print.js";
import { renderTranscript } from "../../lab/transcript.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Flags, Invocation, Verb } from "../verb.js";
import { checkTarget, factsOf, writePage } from "./page.js";
import {
  highestSeed,
  partArguments,
  quoted,
  replayCommand,
  seriesOf,
  seriesOptions,
} from "./series-options.js";

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
      name: "shrink",
      kind: "switch",
      about: "cut it down to the fewest faults that break the same promise, and tell that run",
    },
    {
      name: "save",
      kind: "text",
      value: "FILE",
      about: "write its world and its faults as a story, for lab story FILE",
    },
    {
      name: "around",
      kind: "count",
      value: "MS",
      min: 0,
      max: 1e9,
      about: `only the ${aroundMs / 1_000} s before and after this simulated millisecond, without folding`,
    },
    { name: "html", kind: "text", value: "FILE", about: "write it as a page" },
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
  if (flags.has("json") && flags.has("around"))
    throw usageError("--json prints no story, so --around has no say");
  for (const option of ["html", "save"] as const) {
    const file = flags.text(option);
    if (file !== undefined) checkTarget(option, file, terminal.directory);
  }
  const series = seriesOf(flags);
  const planFor = await plannerOf(series);
  const whole = await run(planFor({ seed, recording: true }));
  const outcome = flags.has("shrink") ? await cut(whole, terminal) : whole;
  const save = flags.text("save");
  if (save !== undefined) writeFileSync(resolve(terminal.directory, save), asStory(outcome));
  tell(outcome, series, flags, terminal);
  return outcome.broken.length > 0 ? exitCodes.checkFailed : exitCodes.done;
}

async function cut(whole: Outcome, terminal: Terminal): Promise<Outcome> {
  if (whole.broken.length === 0) {
    terminal.err("tenure: this run breaks no promise, so there is nothing to cut");
    return whole;
  }
  const onTry = ({ tries, faults }: { readonly tries: number; readonly faults: number }) =>
    terminal.redraw?.(`${tries} tries, ${faults} faults left`);
  const { outcome, repeats, tries } = await shrink({ ...whole.plan, recording: false }, whole, { onTry });
  terminal.redraw?.("");
  if (!repeats) {
    terminal.err("tenure: its list of faults does not repeat this run, so it stays as it is");
    return whole;
  }
  terminal.err(`tenure: ${whole.faults.length} faults cut to ${outcome.faults.length} in ${tries} tries`);
  return run({ ...outcome.plan, recording: true });
}

function asStory({ plan, faults, broken, seed }: Outcome): string {
  const [why = "every promise held"] = broken;
  return printStory(storyOfRun({ plan, faults, notes: [`Seed ${seed}: ${why}`] }));
}

function tell(outcome: Outcome, series: Series, flags: Flags, terminal: Terminal): void {
  const [save, html, atMs] = [flags.text("save"), flags.text("html"), flags.count("around")];
  const again =
    save === undefined
      ? `${replayCommand(series, outcome.seed)}${flags.has("shrink") ? " --shrink" : ""}`
      : ["tenure lab story", quoted(save), ...partArguments(series.parts)].join(" ");
  const story = storyOf(outcome, { facts: factsOf(series), again });
  if (html !== undefined) writePage(html, story, terminal);
  if (flags.has("json")) return printJson(terminal, resultOf(outcome, again));
  const around = atMs === undefined ? {} : { around: { atMs, withinMs: aroundMs } };
  terminal.out(renderTranscript(story, around).trimEnd());
}

function resultOf({ seed, broken, admitted, simulatedMs, faults, counts }: Outcome, replay: string): object {
  return { schema: "tenure.lab-replay/1", seed, broken, admitted, simulatedMs, faults, counts, replay };
}
