/** `tenure lab story`: plays scenarios in plain English, and says what became of what they expect. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { loadParts } from "../../lab/foreign/load.js";
import type { Parts } from "../../lab/foreign/parts.js";
import { storyOf } from "../../lab/story-of-run.js";
import { parseStory } from "../../lab/story/parse.js";
import { playStory, titleOf } from "../../lab/story/play.js";
import { printStory } from "../../lab/story/print.js";
import type { Story } from "../../lab/story/story.js";
import { exitCodes } from "../exit-codes.js";
import { printJson, type Terminal } from "../terminal.js";
import { usageError } from "../usage-error.js";
import type { Flags, Invocation, Verb } from "../verb.js";
import { checkTarget, writePage } from "./page.js";
import { partArguments, partOptions, partsOf, quoted } from "./series-options.js";

export const labStory: Verb = {
  name: "lab story",
  everyday: false,
  summary: "plays scenarios that are written in plain English",
  about: `A story says what happens when, and what is expected; below a line of dashes stands how it is told. Exit code 123: a
promise is broken, what is expected is not so, or it is told in other words than those below the dashes.`,
  positionals: ["FILE…"],
  settings: [],
  options: [
    ...partOptions,
    { name: "update", kind: "switch", about: "write anew what stands below the dashes" },
    { name: "html", kind: "text", value: "FILE", about: "write the one story as a page" },
    { name: "json", kind: "switch", about: "print one JSON object for each (schema tenure.lab-story/1)" },
  ],
  run: runStories,
};

interface Told {
  readonly file: string;
  readonly title: string;
  readonly broken: readonly string[];
  /** What was expected and was not so. */
  readonly missed: readonly string[];
  /** Whether it is told as it stands below the dashes; null where nothing stands there, or another part was played. */
  readonly asTold: boolean | null;
  readonly transcript: string;
}

async function runStories({ flags, positionals }: Invocation, terminal: Terminal): Promise<number> {
  const html = flags.text("html");
  if (html !== undefined) {
    if (positionals.length > 1) throw usageError("--html shows one story: name one FILE");
    checkTarget("html", html, terminal.directory);
  }
  const files = partsOf(flags);
  const brought = await loadParts(files);
  const parts = Object.keys(brought).length === 0 ? undefined : brought;
  if (parts !== undefined && flags.has("update"))
    throw usageError("--update writes what ours is told like, so no other part may stand in its place");
  // All are read before the first is played.
  const stories = positionals.map((file) => ({ file, story: readStory(file, terminal) }));
  let good = true;
  for (const { file, story } of stories) {
    const told = await play(file, story, parts, flags, terminal);
    good &&= told.broken.length + told.missed.length === 0 && told.asTold !== false;
    if (flags.has("json")) printJson(terminal, { schema: "tenure.lab-story/1", ...told });
    else terminal.out(describe(told, stories.length > 1));
  }
  return good ? exitCodes.done : exitCodes.checkFailed;
}

function readStory(file: string, { directory }: Terminal): Story {
  try {
    return parseStory(readFileSync(resolve(directory, file), "utf8"));
  } catch (cause) {
    throw usageError(`${JSON.stringify(file)}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function play(
  file: string,
  story: Story,
  parts: Parts | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<Told> {
  const { outcome, missed, transcript } = await playStory(story, parts);
  const title = titleOf(story);
  if (flags.has("update"))
    writeFileSync(resolve(terminal.directory, file), printStory({ ...story, transcript }));
  const html = flags.text("html");
  if (html !== undefined) {
    const again = ["tenure lab story", quoted(file), ...partArguments(partsOf(flags))].join(" ");
    writePage(html, { ...storyOf(outcome, { facts: [["file", file]], again }), title }, terminal);
  }
  const compared = parts === undefined && story.transcript !== undefined && !flags.has("update");
  const asTold = compared ? story.transcript === transcript : null;
  return { file, title, broken: outcome.broken, missed, asTold, transcript };
}

function describe({ file, title, asTold, transcript }: Told, several: boolean): string {
  return [
    ...(several ? [`== ${file}`] : []),
    title,
    "",
    transcript.trimEnd(),
    ...(asTold === false ? ["", "DIFFERS from what stands below the dashes; --update writes it anew."] : []),
    ...(several ? [""] : []),
  ].join("\n");
}
