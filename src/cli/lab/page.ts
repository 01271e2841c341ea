/** The page of one run, as a file. */

import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renderPage } from "../../lab/page/page.js";
import { run } from "../../lab/run.js";
import { plannerOf, type Series } from "../../lab/series.js";
import { storyOf } from "../../lab/story-of-run.js";
import type { RunStory } from "../../lab/timeline.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import { replayCommand } from "./series-options.js";

/** Before anything runs for an hour. @throws a usage error. */
export function checkTarget(option: string, file: string, directory: string): void {
  const path = resolve(directory, file);
  const folder = dirname(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) throw usageError(`--${option} ${JSON.stringify(file)}: this is a directory; name a file`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw usageError(`--${option} ${JSON.stringify(file)}: nothing can be written to ${folder}`);
  }
}

export function factsOf({ profile, faultyMs }: Series): RunStory["facts"] {
  return [
    ["profile", profile],
    ["lasts", `${faultyMs / 1_000} s, and heals`],
  ];
}

export async function writePage(
  file: string,
  series: Series,
  seed: number,
  terminal: Terminal,
): Promise<void> {
  const outcome = await run(plannerOf(series)({ seed, recording: true }));
  const story = storyOf(outcome, { facts: factsOf(series), again: replayCommand(series, seed) });
  writeFileSync(resolve(terminal.directory, file), renderPage(story));
  terminal.err(`tenure: the page of seed ${seed} is ${file}`);
}
