/** The same seed is the same run, to the last byte of what is told of it. */

import { expect, test } from "vitest";
import { run } from "../../src/lab/run.js";
import { renderPage } from "../../src/lab/page/page.js";
import { plannerOf } from "../../src/lab/series.js";
import { storyOf } from "../../src/lab/story-of-run.js";
import { renderTranscript } from "../../src/lab/transcript.js";
import { corpus } from "./suite.js";

const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

async function tell(seed: number) {
  const outcome = await run((await plannerOf(corpus))({ seed, recording: true }));
  const story = storyOf(outcome, { facts: [], again: "" });
  return { outcome, story, transcript: renderTranscript(story) };
}

test.each(seeds)(
  "when seed %i is run twice, both runs tell the same story and count the same",
  async (seed) => {
    const [first, second] = [await tell(seed), await tell(seed)];
    expect(second.transcript).toBe(first.transcript);
    expect(second.outcome.counts).toEqual(first.outcome.counts);
    expect(second.outcome.faults).toEqual(first.outcome.faults);
    expect(first.transcript).toContain("leads with token");
  },
);

test.each(seeds)("when seed %i is run without recording, it is the same run", async (seed) => {
  const { outcome } = await tell(seed);
  const quick = await run((await plannerOf(corpus))({ seed, recording: false }));
  expect(quick.world.moments).toEqual([]);
  expect(quick.world.lines).toEqual(outcome.world.lines);
  expect(quick.faults).toEqual(outcome.faults);
  expect(quick.counts).toEqual(outcome.counts);
});

test("two seeds are two runs", async () => {
  expect((await tell(1)).transcript).not.toBe((await tell(2)).transcript);
});

test("the page of a run is the same each time", async () => {
  expect(renderPage((await tell(1)).story)).toBe(renderPage((await tell(1)).story));
});
