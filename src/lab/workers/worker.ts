/** A thread that runs one seed after another. It keeps nothing: whoever started it has all that it found out. */

import { parentPort, workerData } from "node:worker_threads";
import { run } from "../run.js";
import { plannerOf } from "../series.js";
import type { Answer, Batch, WorkerData } from "./messages.js";

const { series, progress } = workerData as WorkerData;
const passed = new Int32Array(progress);
const planFor = await plannerOf(series);
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (batch: Batch) => {
  last = last.then(() => runBatch(batch));
});
// Errors are part of the game, and nobody reads where they were made: whoever replays a seed is told.
Error.stackTraceLimit = 0;
answer({ kind: "ready" });

async function runBatch(batch: Batch): Promise<void> {
  for (const seed of batch) {
    const onPassed = () => void Atomics.add(passed, 0, 1);
    const outcome = await run(planFor({ seed, recording: false, onPassed }));
    const { broken, admitted, counts, faults, simulatedMs } = outcome;
    answer({
      kind: "done",
      report: { seed, broken, admitted, counts, faultCount: faults.length, simulatedMs, stuck: false },
    });
  }
}

function answer(message: Answer): void {
  parentPort?.postMessage(message);
}
