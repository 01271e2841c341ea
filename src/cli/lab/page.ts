/** The page of one run, as a file; and whether a file can be written, asked before anything runs for an hour. */

import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { renderPage } from "../../lab/page/page.js";
import type { Series } from "../../lab/series.js";
import type { RunStory } from "../../lab/timeline.js";
import type { Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import { partsNamed } from "./series-options.js";

/** @throws a usage error. */
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

export function factsOf({ profile, faultyMs, parts }: Series): RunStory["facts"] {
  return [["profile", profile], ["lasts", `${faultyMs / 1_000} s, and heals`], ...partsNamed(parts)];
}

export function writePage(file: string, story: RunStory, { directory }: Terminal): void {
  writeFileSync(resolve(directory, file), renderPage(story));
}
