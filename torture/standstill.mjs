/**
 * Processes that are made to stand still: for how long, and since when.
 *
 * What happens is written down when it has taken effect, and its end before it ends, so that the judge
 * sees no pause longer than it was.
 */

import { realClock } from "../dist/base/real-clock.js";
import { faultText } from "./fault.mjs";
import { isStopped } from "./stopped.mjs";

/** @typedef {import("./seat.mjs").Seat} Seat */
/** @typedef {Pick<import("./nemesis.mjs").NemesisParts, "crew" | "history">} Scene */

/** Pauses are longer than the ttl by a tenth to three quarters. */
const pauseTtls = { least: 1.1, more: 0.65 };

/**
 * @param {Pick<import("./places.mjs").Plan, "ttlMs">} plan
 * @param {number} drawn from 0 to 1
 */
export function pauseMsOf({ ttlMs }, drawn) {
  return ttlMs * (pauseTtls.least + drawn * pauseTtls.more);
}

/**
 * @param {Pick<Scene, "history">} scene
 * @param {import("./fault.mjs").Fault} fault
 */
export function writeFault({ history }, fault) {
  history.write({ event: "fault", fault: faultText(fault) });
}

/**
 * @param {Scene} scene
 * @param {Seat} seat
 * @param {import("./fault.mjs").Fault} fault
 * @returns {Promise<bigint>} when it stood still for certain
 */
export async function stopSeat({ crew, history }, seat, fault) {
  seat.signal("SIGSTOP");
  crew.tellStopped();
  await untilStopped(seat.pid);
  const at = realClock.hrtimeNs();
  writeFault({ history }, fault);
  return at;
}

/**
 * @param {Pick<Scene, "crew">} scene
 * @param {Seat} seat
 */
export function continueSeat({ crew }, seat) {
  seat.signal("SIGCONT");
  crew.tellStopped();
}

const lookEveryMs = 1;
const limitMs = 5_000;

/** @param {number | undefined} pid */
async function untilStopped(pid) {
  const sinceMs = performance.now();
  while (pid === undefined || !(await isStopped(pid))) {
    if (performance.now() - sinceMs > limitMs) throw new Error(`process ${pid} does not stop`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
