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

/** Resolves when the term is over and the work has settled; with undefined when it was left behind, still running. */
export function runWork<L extends AnyLeadership, R>(
  work: (leadership: L) => Promise<R>,
  parts: WorkParts,
): Promise<WorkResult<R> | undefined> {
  return new Promise((resolve) => new Underway(parts, resolve).begin(() => work(parts.term.leadership as L)));
}

/** The work of one term. Callbacks, not an async function: a thousand of these may be under way for days. */
class Underway<R> {
  readonly #parts: WorkParts;
  readonly #resolve: (result: WorkResult<R> | undefined) => void;
  readonly #leave: () => void;
  readonly #startedAt: number;
  readonly #limit: Timer | undefined;
  #result: WorkResult<R> | undefined;

  constructor(parts: WorkParts, resolve: (result: WorkResult<R> | undefined) => void) {
    const { engine, clock, drainMs, maxTermMs } = parts;
    this.#parts = parts;
    this.#resolve = resolve;
    this.#leave = () => {
      engine.end("stopped", drainMs);
      this.#conclude();
    };
    this.#startedAt = clock.monotonicMs();
    const overdue = () => engine.end("max-term", drainMs);
    this.#limit = maxTermMs === undefined ? undefined : longTimer(clock, maxTermMs, overdue);
  }

  begin(work: () => Promise<R>): void {
    const { clock, term, left } = this.#parts;
    term.over.add(() => this.#conclude());
    if (left.closed) this.#leave();
    left.add(this.#leave);
    started(work).then(
      (value) => this.#settle({ kind: "returned", value, afterMs: clock.monotonicMs() - this.#startedAt }),
      (cause: unknown) =>
        this.#settle(isConsequence(cause, term) ? { kind: "interrupted" } : { kind: "failed", cause }),
    );
  }

  #settle(result: WorkResult<R>): void {
    const { engine, drainMs, left } = this.#parts;
    this.#result = result;
    this.#limit?.cancel();
    left.remove(this.#leave);
    // The term may have run out while the work returned: look before calling it finished.
    engine.remainingMs();
    engine.settle();
    engine.end(result.kind === "failed" ? "failed" : "finished", drainMs);
    this.#conclude();
  }

  #conclude(): void {
    const { term, left } = this.#parts;
    if (term.over.closed && (this.#result !== undefined || left.closed)) this.#resolve(this.#result);
  }
}

/** Work that throws at once is work that rejects. */
function started<R>(work: () => Promise<R>): Promise<R> {
  try {
    return Promise.resolve(work());
  } catch (cause) {
    return Promise.reject(cause);
  }
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

/** What a leadership, and a resource that somebody newer has claimed, say of a term that is over. */
const consequences = ["LEADERSHIP_LOST", "STALE", "CONFLICT"] as const;

/** After the end of a term, errors that only say so are no failure of the work. */
function isConsequence(cause: unknown, term: TermHandle): boolean {
  if (term.endReason === undefined) return false;
  if (consequences.some((code) => TenureError.is(cause, code))) return true;
  if (!(cause instanceof Error)) return false;
  return cause === term.lossError() || cause.name === "AbortError" || cause.cause === term.lossError();
}
