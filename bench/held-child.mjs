/**
 * A process that holds many elections: `node --expose-gc held-child.mjs WAY STORE COUNT SECONDS`.
 *
 * WAY `campaign` or `run`: how they are held. Tells its parent when it begins to count and when it has counted, so that
 * the server can be asked at the same instants, and at its end what they cost.
 */

import process from "node:process";
import { createElection } from "tenure";
import { median } from "./numbers.mjs";
import { openStore } from "./store.mjs";

/**
 * Of all, above the process without them; `heapBytes` is the median of `heapSamples`, `cpuPercent` is what holding
 * them takes once they are held, `acquireMs` and `acquireCpuMs` what acquiring them took a process that had just
 * started. `lostCount` ended by themselves, and
 * `lostBy` says for what reasons, those of the first round included.
 *
 * @typedef {{ readonly heapBytes: number, readonly heapSamples: readonly number[], readonly rssBytes: number,
 *   readonly cpuPercent: number, readonly acquireMs: number, readonly acquireCpuMs: number,
 *   readonly lostCount: number, readonly lostBy: Readonly<Record<string, number>> }} Cost
 *
 * @typedef {{ readonly said: "counting" } | { readonly said: "counted" }
 *   | { readonly said: "cost", readonly cost: Cost }} FromHeld
 */

const [way = "", where = "", count = "0", seconds = "0"] = process.argv.slice(2);

/** A process that begins or ends thousands in one instant waits for its own queue. */
const atOnce = 250;

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} act
 */
async function inTurn(items, act) {
  for (let from = 0; from < items.length; from += atOnce) {
    await Promise.all(items.slice(from, from + atOnce).map(act));
  }
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => void setTimeout(resolve, ms));

/** @type {Record<string, number>} */
const lostBy = {};

/** @param {import("tenure").ElectionEvents["lost"]} end */
function countEnd({ reason, lateByMs }) {
  if (reason === "resigned" || reason === "stopped") return;
  const why = lateByMs > 0 ? `${reason}, noticed late` : reason;
  lostBy[why] = (lostBy[why] ?? 0) + 1;
}

/**
 * @param {import("tenure/lease").Store} store
 * @param {string} name
 */
async function hold(store, name) {
  const election = createElection({ name, node: "bench", store });
  // In memory nothing gets lost, and a listener would be part of what is weighed.
  if (where !== "memory") election.on("lost", countEnd);
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
  if (globalThis.gc === undefined) throw new Error("start it with --expose-gc");
  for (let times = 0; times < 3; times += 1) {
    await pause(10);
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

process.on("disconnect", () => process.exit());

/**
 * @param {FromHeld} message
 * @returns {Promise<unknown>} when it has been sent
 */
function tell(message) {
  return new Promise((resolve) => process.send?.(message, resolve));
}

/** CPU time of this process since `start`, ms. */
function cpuMs(/** @type {NodeJS.CpuUsage} */ start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Holds all of them, and waits until each has renewed at least once, as it will from then on.
 *
 * @param {string} prefix of their names: new ones each time, so that nobody waits for what was left to expire
 */
async function holdAll(prefix) {
  const [startedAt, startedCpu] = [performance.now(), process.cpuUsage()];
  /** @type {Awaited<ReturnType<typeof hold>>[]} */
  const held = [];
  const names = Array.from({ length: Number(count) }, (_, index) => `${prefix}-${index}`);
  await inTurn(names, async (name) => void held.push(await hold(store, name)));
  const acquired = { acquireMs: performance.now() - startedAt, acquireCpuMs: cpuMs(startedCpu) };
  await pause(3_000);
  return { held, acquired };
}

const store = openStore(where);
// Code, its compiled forms and everything made once are no cost of an election: so all is done once before.
const first = await holdAll("first");
await inTurn(first.held, async (election) => {
  // Until then the work of `campaign` goes on, and a stop would leave the lease to run out.
  if (way === "campaign") await election.leadership?.resign();
  await election.stop();
});
first.held.length = 0;
const before = await heapInUse();
const { held } = await holdAll("second");
// Node.js compiles what runs often, which for the first 10,000 renewals is most of the work, and a collection that was
// asked for makes it collect again and again for a while.
await pause(22_000);
await tell({ said: "counting" });
const [cpuBefore, startedAt] = [process.cpuUsage(), performance.now()];
await pause(Number(seconds) * 1_000);
const cpuPercent = (cpuMs(cpuBefore) * 100) / (performance.now() - startedAt);
await tell({ said: "counted" });
const { rss: rssBytes } = process.memoryUsage();
/** @type {number[]} */
const heapSamples = [];
// Several times: what a renewal under way holds is there for a moment only.
while (heapSamples.length < 5) {
  heapSamples.push((await heapInUse()) - before);
  await pause(200);
}
const heapBytes = median(heapSamples);
const lostCount = held.filter(({ leadership }) => leadership === undefined).length;
/** @type {Cost} */
const cost = { heapBytes, heapSamples, rssBytes, cpuPercent, ...first.acquired, lostCount, lostBy };
await tell({ said: "cost", cost });
process.exit();
