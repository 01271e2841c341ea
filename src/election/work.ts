/**
 * Running a user's work under a term, and telling failures from consequences of the loss.
 */

import type { Clock, Timer } from "../base/clock.js";
import type { Latch } from "../base/latch.js";
import { TenureError } from "../errors/index.js";
import type { Engine } from "./algorithm.js";
import type { AnyLeadership } from "./api.js";
import type { TermHandle } from "./term.js";

export interface WorkParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly term: TermHandle;
  readonly drainMs: number;
  /** Ends the term when it closes. */
  readonly left: Latch;
  readonly maxTermMs: number | undefined;
}

export type WorkResult<R> =
  | { readonly kind: "returned"; readonly value: R; readonly afterMs: number }
  /** Threw because its term ended. */
  | { readonly kind: "interrupted" }
  | { readonly kind: "failed"; readonly cause: unknown };

/** Resolves when the work has settled; the term is ended and settled by then. */
export async function runWork<L extends AnyLeadership, R>(
  work: (leadership: L) => Promise<R>,
  parts: WorkParts,
): Promise<WorkResult<R>> {
  const { engine, clock, term, drainMs, left, maxTermMs } = parts;
  const startedAt = clock.monotonicMs();
  const stop = () => void engine.end("stopped", drainMs);
  const limit: Timer | undefined =
    maxTermMs === undefined ? undefined : longTimer(clock, maxTermMs, () => engine.end("max-term", drainMs));
  if (left.closed) stop();
  left.add(stop);
  let result: WorkResult<R>;
  try {
    const value = await work(term.leadership as L);
    result = { kind: "returned", value, afterMs: clock.monotonicMs() - startedAt };
  } catch (cause) {
    result = isConsequence(cause, term) ? { kind: "interrupted" } : { kind: "failed", cause };
  }
  limit?.cancel();
  left.remove(stop);
  // The term may have run out while the work returned: look before calling it finished.
  engine.remainingMs();
  engine.settle();
  engine.end(result.kind === "failed" ? "failed" : "finished", drainMs);
  return result;
}

/** Timers hold 24.8 days; longer ones are set again. */
function longTimer(clock: Clock, delayMs: number, callback: () => void): Timer {
  const dueMs = clock.monotonicMs() + delayMs;
  let timer = clock.setTimer(delayMs, look);
  function look(): void {
    const leftMs = dueMs - clock.monotonicMs();
    if (leftMs <= 0) callback();
    else timer = clock.setTimer(leftMs, look);
  }
  return { cancel: () => timer.cancel() };
}

/** After the end of a term, errors that only say so are no failure of the work. */
function isConsequence(cause: unknown, term: TermHandle): boolean {
  if (term.endReason === undefined) return false;
  if (TenureError.is(cause, "LEADERSHIP_LOST")) return true;
  if (!(cause instanceof Error)) return false;
  return cause === term.lossError() || cause.name === "AbortError" || cause.cause === term.lossError();
}
