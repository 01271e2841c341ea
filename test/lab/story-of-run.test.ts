/** A recorded run as a story: lanes, times of standing still, and what electors at the seam believed. */

import { expect, test } from "vitest";
import type { Fault } from "../../src/lab/faults/fault.js";
import { createNaiveElector } from "../../src/lab/foreign/naive-elector.js";
import type { Parts } from "../../src/lab/foreign/parts.js";
import { script } from "../../src/lab/generators/script.js";
import { run } from "../../src/lab/run.js";
import { calmSettings, type Settings } from "../../src/lab/settings.js";
import { storyOf } from "../../src/lab/story-of-run.js";
import type { RunStory } from "../../src/lab/timeline.js";

interface Scripted {
  readonly faults?: readonly Fault[];
  readonly settings?: Partial<Settings>;
  readonly forMs?: number;
  readonly parts?: Parts;
}

async function storyIn({ faults = [], settings = {}, forMs = 60_000, parts }: Scripted): Promise<RunStory> {
  const outcome = await run({
    seed: 1,
    settings: { ...calmSettings, ...settings },
    director: script(faults),
    faultyMs: forMs,
    kind: "safety",
    recording: true,
    ...(parts !== undefined && { parts }),
  });
  return storyOf(outcome, { facts: [["profile", "none"]], again: "again" });
}

const shownSpans = ({ spans }: RunStory) =>
  spans.map(({ party, kind, fromMs, untilMs }) => [party, kind, fromMs, untilMs]);

test("each way of standing still is a span, from the fault to when it went on", async () => {
  const story = await storyIn({
    faults: [
      { atMs: 1_000, verb: "stop", who: "a", forMs: 3_000 },
      { atMs: 5_000, verb: "block", who: "a", forMs: 2_000 },
      { atMs: 8_000, verb: "suspend", who: "b", forMs: 4_000 },
      { atMs: 13_000, verb: "stop-host", who: "b", forMs: 1_000 },
      { atMs: 15_000, verb: "stall", what: "ledger", forMs: 1_500 },
      { atMs: 17_000, verb: "cut", who: "c", from: "store", way: "back", forMs: 2_500 },
      { atMs: 20_000, verb: "kill", who: "c" },
      { atMs: 26_000, verb: "start", who: "c" },
    ],
  });
  expect(shownSpans(story)).toEqual([
    ["a", "stopped", 1_000, 4_000],
    ["a", "blocked", 5_000, 7_000],
    ["b", "suspended", 8_000, 12_000],
    ["b", "stopped", 13_000, 14_000],
    ["ledger", "stalled", 15_000, 16_500],
    ["c", "cut", 17_000, 19_500],
    ["c", "down", 20_000, 26_000],
  ]);
  expect(story.spans[5]?.text).toBe("from the store, what is answered is lost");
});

test("what a span tells is no moment as well", async () => {
  const story = await storyIn({ faults: [{ atMs: 1_000, verb: "stop", who: "a", forMs: 3_000 }] });
  const ofA = story.moments.filter(({ party, kind }) => party === "a" && kind === "fault");
  expect(ofA).toEqual([{ atMs: 4_000, party: "a", kind: "fault", text: "goes on" }]);
});

test("when all faults end, whoever is stopped goes on, cuts heal and stalls end, and so do their spans", async () => {
  const story = await storyIn({
    forMs: 10_000,
    faults: [
      { atMs: 8_000, verb: "stop", who: "a", forMs: 30_000 },
      { atMs: 8_000, verb: "cut", who: "b", from: "store", way: "both", forMs: 30_000 },
      { atMs: 9_000, verb: "stall", what: "store", forMs: 30_000 },
    ],
  });
  for (const [, , , untilMs] of shownSpans(story)) {
    expect(untilMs).toBeGreaterThanOrEqual(10_000);
    expect(untilMs).toBeLessThan(10_010);
  }
  expect(story.spans.length).toBe(3);
});

test("processes that follow one another in a slot are one party, and a clone is one of its own", async () => {
  const story = await storyIn({
    settings: { twins: true },
    faults: [
      { atMs: 5_000, verb: "kill", who: "a" },
      { atMs: 6_000, verb: "start", who: "a" },
      { atMs: 20_000, verb: "clone", who: "a" },
    ],
  });
  expect(story.parties.map(({ name }) => name)).toEqual(["a", "a'", "b", "c", "store", "ledger"]);
  const named = new Set(story.parties.map(({ name }) => name));
  for (const { party } of story.moments) expect(party === "world" || named.has(party), party).toBe(true);
  expect(story.lines.length).toBeGreaterThan(0);
  for (const { node } of story.lines) expect(node === "world" || named.has(node), node).toBe(true);
  expect(story.moments).toContainEqual({
    atMs: 6_000,
    party: "a",
    kind: "process",
    text: expect.stringContaining("as process a.2") as string,
  });
});

test("where electors stand at the seam, each time that check() passes is told as a term", async () => {
  const story = await storyIn({
    settings: { store: "memory" },
    parts: { createElector: createNaiveElector },
    faults: [{ atMs: 20_000, verb: "kill", who: "leader" }],
    forMs: 50_000,
  });
  const elected = story.lines.filter(({ event }) => event === "elected");
  expect(elected.length).toBeGreaterThanOrEqual(2);
  const claims = story.lines.flatMap((line) => (line.event === "claimed" ? [line] : []));
  const terms = new Set(elected.map((line) => "instance" in line && `${line.instance} ${line.token}`));
  for (const { instance, token } of claims) expect(terms).toContain(`${instance} ${token}`);
  const killed = story.lines.find((line) => line.event === "lost" && line.at === "20000000000");
  expect(killed).toMatchObject({ reason: "it was killed" });
});

test("the heading says what the world is like", async () => {
  const story = await storyIn({
    settings: { ttlsMs: [6_000, 15_000, 15_000], byStoreClock: [true, false, true] },
  });
  const facts = new Map(story.facts);
  expect(facts.get("ttl")).toBe("6 s, 15 s, 15 s");
  expect(facts.get("expiry")).toBe("judged by the store's clock for a, c");
  expect(facts.get("profile")).toBe("none");
  expect(story.title).toBe("Seed 1: every promise held");
});
