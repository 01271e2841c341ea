// A worker whose seeds misbehave: 3 hangs for ever, 5 ends its thread, 7 takes long but moves, all others are done at once.
import { parentPort, workerData } from "node:worker_threads";

const passed = new Int32Array(/** @type {{ progress: SharedArrayBuffer }} */ (workerData).progress);
const report = {
  broken: [],
  admitted: [],
  counts: { done: 1 },
  faultCount: 0,
  simulatedMs: 1_000,
  stuck: false,
};

parentPort?.on("message", (/** @type {readonly number[]} */ batch) => {
  for (const seed of batch) {
    if (seed === 3) for (;;);
    if (seed === 5) throw new Error("no more of this");
    const untilMs = performance.now() + (seed === 7 ? 3_500 : 0);
    while (performance.now() < untilMs) Atomics.add(passed, 0, 1);
    parentPort?.postMessage({ kind: "done", report: { ...report, seed } });
  }
});
parentPort?.postMessage({ kind: "ready" });
