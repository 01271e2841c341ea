/** The worker as it was built: threads run JavaScript. */

import { realClock } from "../../src/base/real-clock.js";
import type { SeedReport } from "../../src/lab/workers/messages.js";
import { runSeeds } from "../../src/lab/workers/pool.js";
import { corpus } from "./suite.js";

export const builtWorker: URL = new URL("../../dist/lab/workers/worker.js", import.meta.url);

export interface Tried {
  readonly seeds: readonly number[];
  readonly script?: URL;
  readonly threadCount?: number;
  readonly patienceLooks?: number;
  readonly signal?: AbortSignal;
  readonly onReport?: (report: SeedReport) => void;
}

/** What was reported, in the order in which it was. */
export async function reportsOf({ seeds, onReport, ...more }: Tried): Promise<readonly SeedReport[]> {
  const reports: SeedReport[] = [];
  await runSeeds({
    series: { ...corpus, faultyMs: 20_000 },
    seeds: seeds.values(),
    threadCount: 2,
    clock: realClock,
    signal: new AbortController().signal,
    script: builtWorker,
    ...more,
    onReport(report) {
      reports.push(report);
      onReport?.(report);
    },
  });
  return reports;
}
