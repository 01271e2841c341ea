/**
 * The durations of a lease and the bounds that follow from them.
 *
 * All scale with the ttl, so that one number configures an election. Relations
 * that safety or liveness rest on are checked when options are resolved.
 */

import { duration, optionError } from "../base/options.js";
import type { Budget } from "../election/api.js";
import type { LeaseRecord } from "./record.js";
import { shortestTtlMs } from "./store.js";

/** Two machines' clock rates may differ by this factor (P1): V = ttl / tolerance (rule 3). */
export const rateTolerance = 1.5;

export interface LeaseTiming {
  readonly ttlMs: number;
  readonly renewMs: number;
  readonly requestTimeoutMs: number;
  readonly beliefMs: number;
}

export interface LeaseTimingOptions {
  /**
   * How long others respect an unchanged record, ms; 1 000 up to the store's maxTtlMs. Default 15 000 (or maxTtlMs,
   * if that is less): a crashed leader is replaced in about that time, and a store that is away for up to
   * ttlMs / 1.5 - renewMs, 7.5 s, costs no leadership.
   */
  readonly ttlMs?: number;
  /** Pause between renewals, ms. Default ttlMs / 6: three fit into the belief, so two may fail. */
  readonly renewMs?: number;
  /** How long one call to the store may take, ms. Default ttlMs · 2 / 15: shorter than the pause between renewals. */
  readonly requestTimeoutMs?: number;
}

export function resolveTiming(options: LeaseTimingOptions, maxTtlMs: number): LeaseTiming {
  // Defaults stand in for what is left out, not for null: that is somebody's mistake.
  const { ttlMs: asked = Math.min(15_000, maxTtlMs) } = options;
  const ttlMs = duration("ttlMs", asked, shortestTtlMs, maxTtlMs);
  const beliefMs = Math.floor(ttlMs / rateTolerance);
  const {
    renewMs: pause = Math.floor(ttlMs / 6),
    requestTimeoutMs: patience = Math.floor((ttlMs * 2) / 15),
  } = options;
  const renewMs = duration("renewMs", pause, 10, beliefMs);
  const requestTimeoutMs = duration("requestTimeoutMs", patience, 10, beliefMs);
  // Two whole tries must fit between a confirmed send and the deadline (rule 4).
  if (renewMs + 2 * requestTimeoutMs > beliefMs) {
    throw optionError(
      "renewMs + 2 * requestTimeoutMs",
      renewMs + 2 * requestTimeoutMs,
      `at most ttlMs / 1.5 = ${beliefMs}, so that two tries fit before the deadline`,
    );
  }
  return { ttlMs, renewMs, requestTimeoutMs, beliefMs };
}

/** Candidates that see a lease run out do not all try in the same instant. */
export function takeoverSpreadMs(ttlMs: number): number {
  return Math.min(100, ttlMs / 50);
}

export function leaseBudget(
  timing: LeaseTiming,
  drainMs: number,
  expiry: LeaseRecord["expiry"] = "observed",
): Budget {
  const { ttlMs, renewMs, beliefMs, requestTimeoutMs } = timing;
  const leaderlessMs = Math.ceil(ttlMs + renewMs + takeoverSpreadMs(ttlMs));
  return {
    overlapMs: 0,
    leaderlessMs,
    stuckWorkMs: drainMs + leaderlessMs,
    stopMs: beliefMs,
    shutdownMs: Math.max(drainMs, requestTimeoutMs),
    assumptions: [
      `the clock rates of two machines differ by less than ${rateTolerance} : 1`,
      "the store neither loses nor rolls back an acknowledged write",
      ...(expiry === "store-clock" ? ["the store's clock does not step forward"] : []),
      "for leaderlessMs: a candidate runs, the store answers it at once, and has not just come back",
    ],
  };
}
