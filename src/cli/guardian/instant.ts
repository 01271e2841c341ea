/**
 * Instants that two processes of one machine can compare, on two clocks.
 *
 * The monotonic clock is exact and may stand still in suspend; the boot clock counts
 * suspend and is coarse. What is left until an instant is the smaller answer of both.
 */

import type { Clock } from "../../base/clock.js";

export interface Instant {
  readonly monotonicMs: number;
  readonly bootMs: number;
}

export function instantNow(clock: Clock): Instant {
  return { monotonicMs: Number(clock.hrtimeNs()) / 1e6, bootMs: clock.bootMs() };
}

/** An instant that history wrote down: nanoseconds of the monotonic clock. */
export function instantOf(clock: Clock, monotonicNs: string): Instant {
  const now = instantNow(clock);
  return later(now, Number(BigInt(monotonicNs)) / 1e6 - now.monotonicMs);
}

export function later({ monotonicMs, bootMs }: Instant, ms: number): Instant {
  return { monotonicMs: monotonicMs + ms, bootMs: bootMs + ms };
}

/** Never more than what is left: a reading of the boot clock may be late by its resolution. */
export function leftMs(until: Instant, now: Instant, bootResolutionMs: number): number {
  return Math.min(until.monotonicMs - now.monotonicMs, until.bootMs - now.bootMs - bootResolutionMs);
}
