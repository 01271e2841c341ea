/** The page of one run, as a file. */

import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renderPage } from "../../lab/page/page.js";
import { run, type Outcome } from "../../lab/run.js";
import { plannerOf, type Series } from "../../lab/series.js";
import { storyOf } from "../../lab/story-of-run.js";
import type { RunStory } from "../../lab/timeline.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import { replayCommand } from "./series-options.js";

/** Before anything runs for an hour. @throws a usage error. */
export function checkPage(file: string, directory: string): void {
  const path = resolve(directory, file);
  const folder = dirname(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) throw usageError(`--html ${JSON.stringify(file)}: this is a directory; name a file`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw usageError(`--html ${JSON.stringify(file)}: nothing can be written to ${folder}`);
  }
}

export async function repeat(series: Series, seed: number): Promise<Outcome> {
  return run(plannerOf(series)({ seed, recording: true }));
}

export function tellRun(outcome: Outcome, series: Series): RunStory {
  const facts = [
    ["profile", series.profile],
    ["faults for", `${series.faultyMs / 1_000} s`],
  ] as const;
  return storyOf(outcome, { facts, again: replayCommand(series, outcome.seed) });
}

export async function writePage(
  file: string,
  series: Series,
  seed: number,
  terminal: Terminal,
): Promise<void> {
  const story = tellRun(await repeat(series, seed), series);
  writeFileSync(resolve(terminal.directory, file), renderPage(story));
  terminal.err(`tenure: the page of seed ${seed} is ${file}`);
}
