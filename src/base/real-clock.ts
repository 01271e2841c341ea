/**
 * The clocks of this machine.
 *
 * Boot time is read only on Linux, where the monotonic clock stops in suspend;
 * macOS and Windows count sleep in the monotonic clock already, and macOS
 * derives its uptime from the wall clock, which may step.
 */

import { uptime } from "node:os";
import { type Clock, clampDelay, type Timer } from "./clock.js";
import { bootId } from "./host.js";

const monotonicStopsInSuspend = process.platform === "linux";

function setTimer(delayMs: number, callback: () => void): Timer {
  const handle = setTimeout(callback, clampDelay(delayMs));
  return { cancel: () => clearTimeout(handle) };
}

export const realClock: Clock = {
  // /proc/uptime has two decimals.
  resolution: { monotonicMs: 0.001, bootMs: monotonicStopsInSuspend ? 10 : 0.001, wallMs: 1 },
  get bootId() {
    return bootId();
  },
  monotonicMs: () => performance.now(),
  bootMs: () => (monotonicStopsInSuspend ? uptime() * 1000 : Number(process.hrtime.bigint()) / 1e6),
  wallMs: () => Date.now(),
  hrtimeNs: () => process.hrtime.bigint(),
  setTimer,
};
