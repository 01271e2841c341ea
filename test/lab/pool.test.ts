/** Seeds on threads: the order of reports, and what becomes of a seed that does not come back. */

import { expect, test } from "vitest";
import type { SeedReport } from "../../src/lab/workers/messages.js";
import { run } from "../../src/lab/run.js";
import { plannerOf } from "../../src/lab/series.js";
import { corpus } from "./suite.js";
import { reportsOf } from "./workers.js";

const oddWorker = new URL("./odd-worker.mjs", import.meta.url);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const inShort = ({ seed, broken, stuck }: SeedReport) => ({ seed, stuck, why: broken[0]?.split("\n")[0] });

test("when seeds run on one thread or on three, the reports and their order are the same, and those of this thread", async () => {
  const one = await reportsOf({ seeds: upTo(14), threadCount: 1 });
  const three = await reportsOf({ seeds: upTo(14), threadCount: 3 });
  expect(three).toEqual(one);
  expect(one.map(({ seed }) => seed)).toEqual(upTo(14));
  for (const report of one) {
    const planned = (await plannerOf({ ...corpus, faultyMs: 20_000 }))({
      seed: report.seed,
      recording: false,
    });
    const { broken, counts, simulatedMs } = await run(planned);
    expect({ broken, counts, simulatedMs }).toEqual({
      broken: report.broken,
      counts: report.counts,
      simulatedMs: report.simulatedMs,
    });
  }
});

test("when a seed hangs and another ends its thread, both are told as broken, and all others are run", async () => {
  const reports = await reportsOf({ seeds: upTo(12), script: oddWorker, patienceLooks: 2 });
  expect(reports.map(inShort)).toEqual(
    upTo(12).map((seed) => ({
      seed,
      stuck: seed === 3 || seed === 5,
      why:
        seed === 3
          ? "hangs: its time has not passed on for 2 s"
          : seed === 5
            ? "its thread ended: Error: no more of this"
            : undefined,
    })),
  );
});

test("when it is stopped, what was done is reported in order, and it ends though a seed hangs", async () => {
  const stop = new AbortController();
  const reports = await reportsOf({
    seeds: [1, 2, 3, 4, 8, 9, 10, 11],
    script: oddWorker,
    signal: stop.signal,
    onReport: ({ seed }) => seed === 2 && stop.abort(),
  });
  expect(reports.slice(0, 2).map(({ seed }) => seed)).toEqual([1, 2]);
  expect(reports.map(({ seed }) => seed)).not.toContain(3);
});

test("when it is stopped before it begins, nothing runs", async () => {
  expect(await reportsOf({ seeds: upTo(3), signal: AbortSignal.abort() })).toEqual([]);
});

test("when a thread cannot load its script, that is a failure of ours and no seed is blamed", async () => {
  const script = new URL("./no-such-worker.mjs", import.meta.url);
  await expect(reportsOf({ seeds: upTo(3), script })).rejects.toThrow("a thread of the lab could not start");
});
