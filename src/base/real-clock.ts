/**
 * The clocks of this machine.
 *
 * Boot time is read only on Linux, where the monotonic clock stops in suspend;
 * macOS and Windows count sleep in the monotonic clock already, and macOS
 * derives its uptime from the wall clock, which may step.
 *
 * Timers of a second and more come up to 25 ms late, so that those of a thousand
 * elections wake the process forty times a second and not four hundred times:
 * waking up costs more than a renewal does.
 */

import { uptime } from "node:os";
import { callEach } from "./call-each.js";
import { type Clock, clampDelay, type Timer } from "./clock.js";
import { bootId } from "./host.js";

const monotonicStopsInSuspend = process.platform === "linux";
const shortestSharedMs = 1_000;
const sharedStepMs = 25;

/** One timer of Node for all of ours that are due in one step. */
class Alarm {
  readonly #dueMs: number;
  readonly #timers = new Set<SharedTimer>();
  readonly #handle: NodeJS.Timeout;

  constructor(dueMs: number) {
    this.#dueMs = dueMs;
    this.#handle = setTimeout(() => this.#ring(), clampDelay(dueMs - performance.now()));
  }

  add(timer: SharedTimer): void {
    this.#timers.add(timer);
  }

  /** The last one takes the alarm with it, so that nothing keeps the process alive. */
  delete(timer: SharedTimer): void {
    if (!this.#timers.delete(timer) || this.#timers.size > 0) return;
    alarms.delete(this.#dueMs);
    clearTimeout(this.#handle);
  }

  #ring(): void {
    alarms.delete(this.#dueMs);
    callEach(this.#timers, (timer) => timer.callback());
  }
}

const alarms = new Map<number, Alarm>();

class SharedTimer implements Timer {
  readonly #alarm: Alarm;
  readonly callback: () => void;

  constructor(alarm: Alarm, callback: () => void) {
    this.#alarm = alarm;
    this.callback = callback;
    alarm.add(this);
  }

  cancel(): void {
    this.#alarm.delete(this);
  }
}

function setSharedTimer(delayMs: number, callback: () => void): Timer {
  const dueMs = Math.ceil((performance.now() + delayMs) / sharedStepMs) * sharedStepMs;
  let alarm = alarms.get(dueMs);
  if (alarm === undefined) {
    alarm = new Alarm(dueMs);
    alarms.set(dueMs, alarm);
  }
  return new SharedTimer(alarm, callback);
}

function setTimer(delayMs: number, callback: () => void, keepsAlive = true): Timer {
  const clamped = clampDelay(delayMs);
  if (clamped >= shortestSharedMs && keepsAlive) return setSharedTimer(clamped, callback);
  const handle = setTimeout(callback, clamped);
  if (!keepsAlive) handle.unref();
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
