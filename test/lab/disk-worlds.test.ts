/** Worlds with a disk: the file store and the file guard on one machine. A fixed corpus, and that it repeats itself. */

import { expect, it } from "vitest";
import { Power, weaknesses } from "../../src/lab/judge/power.js";
import { floorsOf } from "../../src/lab/profiles.js";
import { run } from "../../src/lab/run.js";
import { plannerOf, type Series } from "../../src/lab/series.js";
import { storyOf } from "../../src/lab/story-of-run.js";
import { renderTranscript } from "../../src/lab/transcript.js";

const series: Series = { profile: "disk", faultyMs: 120_000, expiry: "observed", parts: {} };
const seedCount = 120;

it(`when ${seedCount} machines lose power, stall, fill up and fail to sync, nothing that was answered is lost`, async () => {
  const power = new Power();
  const red: string[] = [];
  const planFor = await plannerOf(series);
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const { broken, counts } = await run(planFor({ seed, recording: false }));
    power.add(counts);
    for (const why of broken) red.push(`seed ${seed}: ${why}`);
  }
  expect(red).toEqual([]);
  expect(weaknesses(power.counts, floorsOf("disk"), seedCount)).toEqual([]);
}, 300_000);

it.each([1, 2, 3, 4])("when seed %i is run twice, both runs tell the same story", async (seed) => {
  const tell = async () => {
    const outcome = await run((await plannerOf(series))({ seed, recording: true }));
    return renderTranscript(storyOf(outcome, { facts: [], again: "" }));
  };
  const [first, second] = [await tell(), await tell()];
  expect(second).toBe(first);
  expect(first).toContain("leads with token");
});
