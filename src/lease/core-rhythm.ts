/**
 * When a follower looks next: locked to the holder's renewals (rule 2).
 *
 * The first receipt of a renewal starts the observed ttl, so each millisecond a
 * renewal waits to be seen delays the next leader. Once a rise was seen, the next
 * look comes one period later less a little: it walks towards the renewal until it
 * comes too early, looks again shortly after, and so stays within an eighth of the
 * period behind, at about one and a half looks a renewal. Nothing here is used for safety.
 */

import type { Change } from "./core-sighting.js";

export interface Rhythm {
  /** When to look next, lower reading. */
  nextLower: number;
  /** The holder's estimated pause between renewals, ms. */
  periodMs: number;
  /** Looks in a row that saw nothing new. */
  misses: number;
  failures: number;
  /** Last rise seen, to measure the period. */
  lastRise: { readonly lower: number; readonly seq: number } | undefined;
}

export function createRhythm(lower: number, periodMs: number): Rhythm {
  return { nextLower: lower, periodMs, misses: 0, failures: 0, lastRise: undefined };
}

export interface Look {
  readonly change: Change;
  readonly lower: number;
  /** Present ttl and seq of a holder that renews; undefined when there is none to follow. */
  readonly holder: { readonly ttlMs: number; readonly seq: number } | undefined;
  readonly fraction: number;
}

export function looked(rhythm: Rhythm, look: Look): void {
  const { change, lower, holder, fraction } = look;
  rhythm.failures = 0;
  if (holder === undefined) {
    rhythm.nextLower = lower + rhythm.periodMs * (0.5 + fraction / 2);
    return;
  }
  if (change === "rose") {
    measure(rhythm, lower, holder);
    rhythm.misses = 0;
    rhythm.nextLower = lower + rhythm.periodMs * (1 - (1 + fraction) / 32);
    return;
  }
  if (change === "changed") {
    rhythm.lastRise = undefined;
    rhythm.periodMs = holder.ttlMs / 6;
    rhythm.misses = 0;
  }
  rhythm.misses += 1;
  rhythm.nextLower = lower + rhythm.periodMs * pauseAfterMiss(rhythm);
}

/** Just early: soon again. A holder that stays silent is looked at less and less often. */
function pauseAfterMiss(rhythm: Rhythm): number {
  if (rhythm.lastRise !== undefined) return Math.min(2 ** rhythm.misses / 16, 0.5);
  return rhythm.misses <= 10 ? 1 / 8 : 1 / 2;
}

function measure(rhythm: Rhythm, lower: number, holder: { ttlMs: number; seq: number }): void {
  const { lastRise } = rhythm;
  if (lastRise !== undefined && holder.seq > lastRise.seq) {
    const period = (lower - lastRise.lower) / (holder.seq - lastRise.seq);
    rhythm.periodMs = Math.min(Math.max(period, holder.ttlMs / 60), holder.ttlMs / 3);
  }
  rhythm.lastRise = { lower, seq: holder.seq };
}

/** No answer: again after a growing, jittered pause, at most one period long. */
export function lookFailed(rhythm: Rhythm, lower: number, fraction: number): void {
  rhythm.failures += 1;
  const pause = Math.min((rhythm.periodMs / 10) * 2 ** (rhythm.failures - 1), rhythm.periodMs);
  rhythm.nextLower = lower + pause * (0.5 + fraction / 2);
}
