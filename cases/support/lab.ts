/** Cases that are played in the lab: a story of test/transcripts, judged by the lab's audit and by what it expects. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Parts } from "../../src/lab/foreign/parts.js";
import type { Outcome } from "../../src/lab/run.js";
import { parseStory } from "../../src/lab/story/parse.js";
import { playStory } from "../../src/lab/story/play.js";
import type { Stage } from "./stage.js";

export async function playInLab(stage: Stage, name: string): Promise<Outcome> {
  const { outcome, missed } = await playIt(name);
  stage.fault(outcome.faults.length);
  expect([...outcome.broken, ...missed]).toEqual([]);
  return outcome;
}

/** Judged by the case alone. */
export async function playWith(name: string, parts: Parts): Promise<Outcome> {
  const { outcome } = await playIt(name, parts);
  return outcome;
}

function playIt(name: string, parts?: Parts): ReturnType<typeof playStory> {
  const path = fileURLToPath(new URL(`../../test/transcripts/${name}.txt`, import.meta.url));
  return playStory(parseStory(readFileSync(path, "utf8")), parts);
}
