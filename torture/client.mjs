/**
 * A client as its own process: `client.mjs ASSIGNMENT`, JSON.
 *
 * Stands for the election, works in turns while it leads, and leaves cleanly when it is told to.
 * Promise: history and work lines are on file before anybody else hears of them, and it never
 * outlives whoever started it; then it also wakes the siblings that are stopped.
 */

import { appendFileSync } from "node:fs";
import process from "node:process";
import { createElection, TenureError } from "tenure";
import { realClock } from "../dist/base/real-clock.js";
import { stamped } from "../dist/cli/demo/stamp.js";
import { chanceOf } from "./chance.mjs";
import { beChild } from "./child.mjs";
import { fileOf, placesIn, storeVariable } from "./places.mjs";
import { openTortureStore } from "./store.mjs";
import { Turns } from "./turns.mjs";
import { workloads } from "./workloads.mjs";

/**
 * @typedef {{ readonly said: "leads" | "ended", readonly token: number }
 *   | { readonly said: "answered", readonly element: string, readonly token: number, readonly sentAt: string, readonly kind: import("./turns.mjs").Outcome["kind"] }} FromClient
 */

/** @typedef {{ readonly order: "finish" } | { readonly order: "know", readonly stopped: readonly number[] }} ToClient */

const assignment = /** @type {import("./places.mjs").Assignment} */ (JSON.parse(process.argv[2] ?? "{}"));
const { root, plan, node, start } = assignment;
/** @type {import("./child.mjs").Child<FromClient>} */
const { tell, fail, know, leave } = beChild(assignment);
const places = placesIn(root);
const workload = workloads[plan.workload];
const identity = { node, namespace: "default", election: plan.election };
const chance = chanceOf(plan.seed, `${node}/${start}`);

/** @param {string} line */
function writeHistory(line) {
  appendFileSync(fileOf(places.histories, node, start), `${line}\n`);
  const told = /** @type {import("tenure").HistoryLine} */ (JSON.parse(line));
  if (told.event === "elected") tell({ said: "leads", token: told.token });
  if (told.event === "lost") tell({ said: "ended", token: told.token });
}

const { store } = await openTortureStore(process.env[storeVariable], plan.ttlMs);
const logger = {
  debug() {},
  info() {},
  warn: (/** @type {object} */ fields, /** @type {string} */ message) =>
    console.error("warn", message, fields),
  error: (/** @type {object} */ fields, /** @type {string} */ message) =>
    console.error("error", message, fields),
};
const election = createElection({
  name: plan.election,
  node,
  store,
  ttlMs: plan.ttlMs,
  history: writeHistory,
  logger,
});
election.on("workFailed", ({ cause }) => {
  // A resource that could not be claimed in time: the term was given back, and this client stands again.
  if (!TenureError.is(cause, "CLAIM_TIMEOUT")) fail(cause);
});

let count = 0;
/** @type {import("./turns.mjs").TurnParts} */
const parts = {
  resource: workload.resource,
  faults: workload.faults,
  node,
  nextElement: () => `${node}.${start}-${(count += 1)}`,
  now: () => realClock.hrtimeNs(),
  fraction: () => chance.fraction(),
  tell: (at, event) => writeHistory(stamped(realClock, identity, at, event)),
  write: (line) => appendFileSync(fileOf(places.work, node, start), `${JSON.stringify(line)}\n`),
  onAnswer: (answer) => tell({ said: "answered", ...answer }),
};
const entered = await workload.enter(plan.form, places.resource);
const work = entered.lead((held, leadership) => new Turns(parts, leadership).run(held));

process.on("message", (value) => {
  const message = /** @type {ToClient} */ (value);
  if (message.order === "know") know(message.stopped);
  else void election.stop();
});

try {
  await election.run(work);
  await store[Symbol.asyncDispose]();
  await entered.close();
  leave();
} catch (cause) {
  fail(cause);
}
