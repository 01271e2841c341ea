/**
 * A process that applies what leaders send it, as its own process: `applier.mjs ASSIGNMENT`, JSON.
 *
 * It leads nothing. In the middle of each transaction it says so, and stands still until it is told to go on.
 * Promise: it never outlives whoever started it.
 */

import process from "node:process";
import { beChild } from "./child.mjs";
import { standAtGate } from "./gate.mjs";
import { workloads } from "./workloads.mjs";

/** @typedef {{ readonly said: "ready" }} FromApplier */

const assignment = /** @type {import("./places.mjs").Assignment} */ (JSON.parse(process.argv[2] ?? "{}"));
const { plan } = assignment;
/** @type {import("./child.mjs").Child<FromApplier>} */
const { tell, fail, know, leave } = beChild(assignment);

const { appliers } = workloads[plan.workload];
if (appliers === undefined) throw new Error(`${plan.workload} has nobody who applies writes`);
const entered = await appliers.enter(plan.form, {
  inside: ({ element, token }) => standAtGate({ element, token, stage: "inside" }),
  fail,
});

process.on("message", (value) => {
  const message = /** @type {import("./client.mjs").ToClient} */ (value);
  if (message.order === "know") know(message.stopped);
  else entered.close().then(leave, fail);
});
tell({ said: "ready" });
