/** Seeds that nobody has run before, for as long as a run of the tests can wait. */

import { expect, test } from "vitest";
import { realChance } from "../../src/base/random.js";
import { realClock } from "../../src/base/real-clock.js";
import type { SeedReport } from "../../src/lab/workers/messages.js";
import { runSeeds } from "../../src/lab/workers/pool.js";
import { corpus, replayOf } from "./suite.js";
import { builtWorker } from "./workers.js";

const budgetMs = 3_000;

test("when fresh worlds live through their faults, no promise is broken", async () => {
  const from = 1 + Math.floor(realChance.fraction() * 2 ** 30);
  const untilMs = realClock.monotonicMs() + budgetMs;
  const reports: SeedReport[] = [];
  function* fresh(): Generator<number> {
    for (let seed = from; realClock.monotonicMs() < untilMs; seed += 1) yield seed;
  }
  const onReport = (report: SeedReport) => void reports.push(report);
  const signal = new AbortController().signal;
  await runSeeds({
    series: corpus,
    seeds: fresh(),
    threadCount: 1,
    clock: realClock,
    signal,
    onReport,
    script: builtWorker,
  });
  // oxlint-disable-next-line no-console -- which seeds these were is of use to a reader only when it is printed
  console.info(`${reports.length} fresh seeds from ${from} on`);
  const red = reports.filter(({ broken }) => broken.length > 0);
  const told = red.map(
    ({ seed, broken }) => `seed ${seed}: ${broken.join("; ")}\n  again: ${replayOf(seed)}`,
  );
  expect(told.join("\n")).toBe("");
  expect(reports.length).toBeGreaterThan(0);
}, 120_000);
