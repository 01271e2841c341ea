/** `tenure lab replay`: one run again, exactly, told as a story or shown as a page; and what is left of it when it is cut. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { renderPage } from "../../lab/page/page.js";
import { type Outcome, run, type RunPlan } from "../../lab/run.js";
import { loadRun, saveRun } from "../../lab/saved-run.js";
import { plannerOf } from "../../lab/series.js";
import { shrink } from "../../lab/shrink.js";
import { storyOf } from "../../lab/story-of-run.js";
import { renderTranscript } from "../../lab/transcript.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Flags, Invocation, Verb } from "../verb.js";
import { checkTarget, factsOf } from "./page.js";
import { highestSeed, replayCommand, seriesOf, seriesOptions } from "./series-options.js";

/** On either side of the instant that is asked for. */
const aroundMs = 5_000;

export const labReplay: Verb = {
  name: "lab replay",
  everyday: false,
  summary: "one simulated world again, exactly, as a story and as a page",
  about: `The same seed with the same options is the same run, to the last byte of what is printed. A FILE is what --save wrote.
Exit code 123: it broke a promise, which stands last.`,
  positionals: ["[FILE]"],
  settings: [],
  options: [
    {
      name: "seed",
      kind: "count",
      value: "N",
      min: 1,
      max: highestSeed,
      about: "which one; required without FILE",
    },
    ...seriesOptions,
    {
      name: "shrink",
      kind: "switch",
      about: "cut it down to the fewest faults that break the same promise, and tell that run",
    },
    { name: "save", kind: "text", value: "FILE", about: "write it, world and faults, for lab replay FILE" },
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

/** What is run, and how its heading and its last line name it. */
interface Subject {
  readonly plan: RunPlan;
  readonly facts: readonly (readonly [string, string])[];
  readonly again: string;
}

async function runReplay({ flags, positionals }: Invocation, terminal: Terminal): Promise<number> {
  const subject = subjectOf(flags, positionals[0], terminal);
  if (flags.has("json") && flags.has("around"))
    throw usageError("--json prints no story, so --around has no say");
  for (const option of ["html", "save"] as const) {
    const file = flags.text(option);
    if (file !== undefined) checkTarget(option, file, terminal.directory);
  }
  const whole = await run(subject.plan);
  const outcome = flags.has("shrink") ? await cut(whole, terminal) : whole;
  tell(outcome, subject, flags, terminal);
  return outcome.broken.length > 0 ? exitCodes.checkFailed : exitCodes.done;
}

function subjectOf(flags: Flags, file: string | undefined, { directory }: Terminal): Subject {
  if (file !== undefined) {
    const other = ["seed", ...seriesOptions.map(({ name }) => name)].find((name) => flags.has(name));
    if (other !== undefined)
      throw usageError(`${JSON.stringify(file)} says what is run, so --${other} has no say`);
    try {
      const plan = loadRun(readFileSync(resolve(directory, file), "utf8"));
      return {
        plan: { ...plan, recording: true },
        facts: [["file", file]],
        again: `tenure lab replay ${file}`,
      };
    } catch (cause) {
      throw usageError(`${JSON.stringify(file)}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  const seed = flags.count("seed");
  if (seed === undefined) throw usageError("lab replay needs --seed N or FILE: see tenure lab replay --help");
  const series = seriesOf(flags);
  const plan = plannerOf(series)({ seed, recording: true });
  return { plan, facts: factsOf(series), again: replayCommand(series, seed) };
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
  if (!repeats) terminal.err("tenure: its list of faults does not repeat this run, so it stays as it is");
  else
    terminal.err(`tenure: ${whole.faults.length} faults cut to ${outcome.faults.length} in ${tries} tries`);
  return run({ ...outcome.plan, recording: true });
}

function tell(outcome: Outcome, subject: Subject, flags: Flags, terminal: Terminal): void {
  const save = flags.text("save");
  if (save !== undefined) writeFileSync(resolve(terminal.directory, save), saveRun(outcome));
  const shrunk = flags.has("shrink");
  const saved =
    save === undefined ? `${subject.again}${shrunk ? " --shrink" : ""}` : `tenure lab replay ${save}`;
  const story = storyOf(outcome, { facts: subject.facts, again: saved });
  const html = flags.text("html");
  if (html !== undefined) writeFileSync(resolve(terminal.directory, html), renderPage(story));
  if (flags.has("json")) return printJson(terminal, resultOf(outcome, story.again));
  const atMs = flags.count("around");
  const around = atMs === undefined ? {} : { around: { atMs, withinMs: aroundMs } };
  terminal.out(renderTranscript(story, around).trimEnd());
}

function resultOf({ seed, broken, admitted, simulatedMs, faults, counts }: Outcome, replay: string): object {
  return { schema: "tenure.lab-replay/1", seed, broken, admitted, simulatedMs, faults, counts, replay };
}
