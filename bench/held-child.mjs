/**
 * A process that holds many elections: `node --expose-gc held-child.mjs WAY COUNT SECONDS`.
 *
 * WAY `campaign` or `run`: how they are held. Tells its parent one message, what they cost.
 */

import process from "node:process";
import { createElection } from "tenure";
import { memoryStore } from "tenure/memory";
import { median } from "./numbers.mjs";

/**
 * Of all, above the process without them; `heapBytes` is the median of `heapSamples`.
 *
 * @typedef {{ readonly heapBytes: number, readonly heapSamples: readonly number[], readonly cpuPercent: number }} Cost
 */

const [way = "", count = "0", seconds = "0"] = process.argv.slice(2);

const pause = (/** @type {number} */ ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/**
 * @param {import("tenure/lease").Store} store
 * @param {string} name
 */
async function hold(store, name) {
  const election = createElection({ name, node: "bench", store });
  if (way === "campaign") {
    await election.campaign();
  } else {
    await new Promise((resolve, reject) => {
      election
        .run(async (leadership) => {
          resolve(undefined);
          await leadership.ended;
        })
        .catch(reject);
    });
  }
  return election;
}

/** What is left after collecting: twice, since weak things need a turn in between. */
async function heapInUse() {
  for (let times = 0; times < 3; times += 1) {
    if (globalThis.gc === undefined) throw new Error("start it with --expose-gc");
    globalThis.gc();
    await pause(10);
  }
  return process.memoryUsage().heapUsed;
}

process.on("disconnect", () => process.exit());
// Code, its compiled forms and everything made once are no cost of an election.
for (let times = 0; times < 20; times += 1) await (await hold(memoryStore(), "warm")).stop({ drainMs: 0 });
const before = await heapInUse();
const store = memoryStore();
const held = await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => hold(store, `job-${index}`)),
);
// Each has renewed at least once, as it will from now on.
await pause(3_000);
/** @type {number[]} */
const heapSamples = [];
// Several times: what a renewal under way holds is there for a moment only.
while (heapSamples.length < 5) {
  heapSamples.push((await heapInUse()) - before);
  await pause(200);
}
const heapBytes = median(heapSamples);
const [cpuBefore, startedAt] = [process.cpuUsage(), performance.now()];
await pause(Number(seconds) * 1_000);
const { user, system } = process.cpuUsage(cpuBefore);
const cpuPercent = (user + system) / 10 / (performance.now() - startedAt);
if (held.some(({ leadership }) => leadership === undefined)) throw new Error("not all of them were held");
process.send?.({ heapBytes, heapSamples, cpuPercent }, () => process.exit());
