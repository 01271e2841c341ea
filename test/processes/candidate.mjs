/**
 * A candidate as its own process: `candidate.mjs SEAT`, where SEAT is JSON.
 *
 * Each history line is on disk before anybody acts on it, so that what this process believed can be judged after a
 * kill. The same lines, and what else happens here, are told on stdout, one JSON object a line, `at` in ms of the
 * monotonic clock that all processes share. Orders come by the channel to the parent; SIGTERM stops the election as
 * a service would. It never outlives its parent, unless it is stopped just then.
 */

import { appendFileSync } from "node:fs";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * @typedef {object} Seat
 * @property {string} directory of the store
 * @property {string} [url] of a Redis server, whose store takes the place of the directory; its maxTtlMs is ttlMs
 * @property {string} history file of its own
 * @property {string} node
 * @property {"lead" | "once"} mode `lead`: stands until it is stopped. `once`: one tryCampaign, then leads on if elected
 * @property {number} ttlMs
 * @property {number} [renewMs]
 * @property {number} [requestTimeoutMs]
 * @property {number} [drainMs] of the stop on SIGTERM
 * @property {number} [settleMs] how long the work goes on when SIGTERM ended its term; default: not at all
 * @property {boolean} [exits] by itself as soon as its election has stopped, whatever its work does
 * @property {number} [wallMs] what its wall clock is ahead by
 */

/**
 * `transfer`: asks for a handover, to a node if named. `silence`: its store, in a directory, answers nothing more.
 * `block`: its event loop does nothing else for so long. `collect`: the same with a large heap that is collected over
 * and over.
 *
 * @typedef {{ readonly order: "transfer", readonly to?: string }
 *   | { readonly order: "silence" }
 *   | { readonly order: "block", readonly ms: number }
 *   | { readonly order: "collect", readonly ms: number }} Order
 */

// The built package, with the types of its sources: these files are checked before there is a build.
/** @param {string} path @returns {Promise<unknown>} */
const built = async (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const { createElection } = /** @type {typeof import("../../src/index.js")} */ (await built("index.js"));
const { fileStore } = /** @type {typeof import("../../src/stores/file/index.js")} */ (
  await built("stores/file/index.js")
);
const { redisStore } = /** @type {typeof import("../../src/stores/redis/index.js")} */ (
  await built("stores/redis/index.js")
);
const { realClock } = /** @type {typeof import("../../src/base/real-clock.js")} */ (
  await built("base/real-clock.js")
);
const { createWitness } = /** @type {typeof import("../../src/cli/demo/witness.js")} */ (
  await built("cli/demo/witness.js")
);

const seat = /** @type {Seat} */ (JSON.parse(process.argv[2] ?? "{}"));
const { node, ttlMs, settleMs = 0, wallMs = 0 } = seat;
const identity = { node, namespace: "default", election: "job" };

if (wallMs !== 0) {
  const now = Date.now;
  Date.now = () => now() + wallMs;
}

/** @param {object} what */
function tell(what) {
  const at = Number(process.hrtime.bigint()) / 1e6;
  process.stdout.write(`${JSON.stringify({ at, pid: process.pid, ...what })}\n`);
}

/** @param {string} line */
const writeDown = (line) => appendFileSync(seat.history, `${line}\n`);

/** @param {string} line */
function history(line) {
  writeDown(line);
  const { at, ...event } = /** @type {import("../../src/history/line.js").HistoryLine} */ (JSON.parse(line));
  tell({ ...event, at: Number(at) / 1e6 });
}

let silent = false;
let stopping = false;
const store = seat.url === undefined ? inDirectory() : redisStore(seat.url, { maxTtlMs: ttlMs });

/** @returns {import("../../src/lease/store.js").Store} */
function inDirectory() {
  const files = fileStore(seat.directory, { keepVersions: Number.POSITIVE_INFINITY });
  return {
    ...files,
    read: async (...args) => (silent ? new Promise(() => {}) : files.read(...args)),
    write: async (...args) => (silent ? new Promise(() => {}) : files.write(...args)),
  };
}

const { renewMs, requestTimeoutMs, drainMs } = seat;
const election = createElection({
  name: "job",
  node,
  store,
  history,
  ttlMs,
  ...(renewMs === undefined ? {} : { renewMs }),
  ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  ...(drainMs === undefined ? {} : { drainMs }),
});

/**
 * Asks its check all the time; then goes on for a while, as work does that does not look.
 *
 * @param {import("../../src/election/api.js").Leadership} leadership
 */
async function work(leadership) {
  const { token, fence, signal } = leadership;
  const passes = () => {
    try {
      leadership.check();
      return true;
    } catch {
      return false;
    }
  };
  signal.addEventListener("abort", () => tell({ event: "aborted", token }));
  const belief = { instance: fence.owner, token, passes };
  const onWake = (/** @type {object} */ wake) => tell({ event: "woke", ...wake });
  const witness = createWitness(belief, { identity, clock: realClock, sink: writeDown, onWake });
  await witness.watch();
  if (settleMs === 0 || !stopping) return;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  tell({ event: "settled", token });
}

/** Kept for good once a heap was asked for. @type {object[]} */
const heap = [];

/** @param {Extract<Order, { readonly ms: number }>} order */
function keepBusy({ order, ms }) {
  const startAt = process.hrtime.bigint();
  const spent = () => Number(process.hrtime.bigint() - startAt) / 1e6;
  let count = 0;
  if (order === "collect") while (heap.length < 300_000) heap.push({ before: heap.at(-1) });
  do {
    if (order === "collect") collectGarbage();
    count += 1;
  } while (spent() < ms);
  tell({ event: "busy", gapMs: spent(), count });
}

/** All of the heap, at once. */
function collectGarbage() {
  setFlagsFromString("--expose-gc");
  /** @type {() => void} */ (runInNewContext("gc"))();
}

process.once("SIGTERM", () => {
  stopping = true;
  tell({ event: "told to stop" });
  void election.stop().then(() => {
    tell({ event: "stopped" });
    if (seat.exits) process.exit(0);
  });
});
process.on("message", (message) => {
  const order = /** @type {Order} */ (message);
  if (order.order === "silence") {
    silent = true;
    tell({ event: "silent" });
    return;
  }
  if (order.order === "block" || order.order === "collect") {
    keepBusy(order);
    return;
  }
  const to = order.to === undefined ? {} : { to: order.to };
  void election.transfer(to).then(
    ({ kind }) => tell({ event: "asked", outcome: kind }),
    (cause) => tell({ event: "asked", outcome: String(cause) }),
  );
});
// Whoever started it is gone. But the channel to it is nothing to stay alive for.
process.on("disconnect", () => process.exit());
process.channel?.unref();

election.on("leaderChanged", (view) => {
  if (view.kind === "held" && view.node !== node) tell({ event: "follows", token: view.token });
});
tell({ event: "started", leaderlessMs: election.budget.leaderlessMs });
if (seat.mode === "once") {
  const attempt = await election.tryCampaign();
  if (attempt.kind === "held") {
    tell({ event: "held", by: attempt.by.node });
    await election.stop();
  }
} else {
  await election.run(work);
}
