/**
 * A second process that makes a leader's write, as its own process: `double.mjs ASSIGNMENT`, JSON.
 *
 * It has a copy of what the leader holds: its fence, what it had read, and the name of its write. It
 * claims, says that it is ready, and writes when it is told to. It leads nothing and checks nothing.
 * Promise: what became of its write is on file before anybody hears of it.
 */

import { appendFileSync } from "node:fs";
import process from "node:process";
import { realClock } from "../dist/base/real-clock.js";
import { fileOf, placesIn } from "./places.mjs";
import { settle } from "./settle.mjs";
import { workloads } from "./workloads.mjs";

/**
 * @typedef {object} DoubleAssignment
 * @property {string} root
 * @property {import("./places.mjs").Plan} plan
 * @property {number} number of the double, from 1
 * @property {import("./gate.mjs").Announcement} announcement of the write that it makes too
 */

/** @typedef {"ready" | "ended"} FromDouble */

const { root, plan, number, announcement } = /** @type {DoubleAssignment} */ (
  JSON.parse(process.argv[2] ?? "{}")
);
const { element, token, copy } = announcement;
const { work, resource } = placesIn(root);

process.on("disconnect", () => process.exit(1));
// It may have come to nothing before it listened.
if (!process.connected) process.exit(1);
// Ctrl-C reaches the whole group; whoever started this decides what ends when.
process.on("SIGINT", () => {});

const entered = await workloads[plan.workload].enter(plan.form, resource);
/** @type {(() => Promise<void>) | undefined} */
let write;
const claimed = await settle(async () => {
  write = await entered.double(copy, token, element);
});
const go = new Promise((resolve) => process.once("message", resolve));
process.send?.("ready");
await go;
const at = String(realClock.hrtimeNs());
const outcome = write === undefined ? claimed : await settle(write);
const line = { kind: "double", at, element, token, outcome: outcome.kind };
const code = "code" in outcome ? { code: outcome.code } : {};
appendFileSync(fileOf(work, "double", number), `${JSON.stringify({ ...line, ...code })}\n`);
process.send?.("ended", undefined, undefined, () => process.disconnect());
await entered.close();
