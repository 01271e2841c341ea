/**
 * All claims of a term, on a clock of the caller's.
 *
 * Every resource is claimed, in the order of their names, within one limit of time. What was
 * refused is collected first: one term is asked to be replaced once, above the highest token
 * that was seen. A resource that hangs is not waited for beyond the limit.
 */

import type { Clock, Timer } from "../base/clock.js";
import { callable, duration, knownOnly, optionError } from "../base/options.js";
import { createError, TenureError } from "../errors/index.js";
import type { Claimant, Fence, Sequence } from "./fence.js";
import type { Guard } from "./guard.js";
import { outpace } from "./writer.js";

/**
 * A term with a token, as `fences` and fenced work see it. Says what a leadership says, in plain types, since
 * resources know no elections; a leadership of any copy of the package fits.
 */
export interface FencedTerm {
  readonly fence: Fence;
  readonly token: number;
  readonly isCurrent: boolean;
  readonly signal: AbortSignal;
  readonly ended: Promise<string>;
  check(): void;
  remainingMs(): number;
  ensure(ms: number, options?: { readonly signal?: AbortSignal }): Promise<void>;
  resign(options?: { readonly to?: string }): Promise<void>;
  sequence(resource: string): Sequence;
  outpaced(watermark: number): void;
}

export interface FencesOptions {
  /**
   * How long all claims together may take, ms, from 1; failed ones are tried again until then. Then the work
   * rejects with CLAIM_TIMEOUT, which gives the term back. Default: half of what remains of the term, so that
   * a resource that hangs cannot keep a leader in office who does nothing.
   */
  readonly claimTimeoutMs?: number;
}

export type Handles<G> = { readonly [K in keyof G]: G[K] extends Guard<infer H> ? H : never };

/** As `fences`, on a clock of the caller's. */
export function fencesOn<const G extends Readonly<Record<string, Guard<unknown>>>, R, L extends FencedTerm>(
  clock: Clock,
  guards: G,
  work: (fenced: Handles<G>, leadership: L) => Promise<R>,
  options: FencesOptions,
): (leadership: L) => Promise<R> {
  knownOnly(options, ["claimTimeoutMs"]);
  callable("work", work);
  const { claimTimeoutMs } = options;
  if (claimTimeoutMs !== undefined) duration("claimTimeoutMs", claimTimeoutMs, 1, 3_600_000);
  const ordered = inOrder(guards);
  return async (leadership) => {
    const timeoutMs = claimTimeoutMs ?? leadership.remainingMs() / 2;
    const handles = await new Claims(clock, leadership, timeoutMs).claimAll(ordered);
    return work(handles as Handles<G>, leadership);
  };
}

type Named = readonly [name: string, guard: Guard<unknown>];

/** The same in every process, so that two leaders that overlap do not hold one resource each. */
function inOrder(guards: Readonly<Record<string, Guard<unknown>>>): readonly Named[] {
  const entries = Object.entries(guards).toSorted(([, a], [, b]) => (a.resource < b.resource ? -1 : 1));
  for (const [index, [name, { resource }]] of entries.entries()) {
    if (entries[index + 1]?.[1].resource !== resource) continue;
    throw optionError(`${name}.resource`, resource, "a name that no other guard has");
  }
  return entries;
}

const firstPauseMs = 25;
const longestPauseMs = 500;

class Claims {
  readonly #clock: Clock;
  readonly #term: FencedTerm;
  readonly #timeoutMs: number;
  readonly #over = new AbortController();
  readonly #refusals: TenureError[] = [];
  #highest = 0;
  #claiming = "";
  #failure: unknown;

  constructor(clock: Clock, term: FencedTerm, timeoutMs: number) {
    this.#clock = clock;
    this.#term = term;
    this.#timeoutMs = timeoutMs;
  }

  async claimAll(guards: readonly Named[]): Promise<Readonly<Record<string, unknown>>> {
    const { signal } = this.#term;
    signal.throwIfAborted();
    const end = () => this.#over.abort(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    const timer = this.#clock.setTimer(this.#timeoutMs, () => this.#timeOut());
    const handles: Record<string, unknown> = {};
    const claimant = this.#claimant();
    try {
      for (const [name, guard] of guards) handles[name] = await this.#claim(guard, claimant.whileClaiming);
    } finally {
      timer.cancel();
      signal.removeEventListener("abort", end);
      claimant.claimed();
    }
    this.#judge();
    return handles;
  }

  /** Refusals of claims are collected; those of later writes go to the term at once. */
  #claimant(): { readonly whileClaiming: Claimant; readonly claimed: () => void } {
    const term = this.#term;
    let claiming = true;
    const whileClaiming: Claimant = {
      fence: term.fence,
      sequence: (resource) => term.sequence(resource),
      outpaced: (watermark) => {
        if (claiming) this.#highest = Math.max(this.#highest, watermark);
        else term.outpaced(watermark);
      },
      remainingMs: () => term.remainingMs(),
    };
    return {
      whileClaiming,
      claimed: () => {
        claiming = false;
      },
    };
  }

  /** Undefined when refused. */
  async #claim(guard: Guard<unknown>, claimant: Claimant): Promise<unknown> {
    this.#claiming = guard.resource;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await this.#inTime(guard.claim(claimant, { signal: this.#over.signal }));
      } catch (cause) {
        this.#over.signal.throwIfAborted();
        if (isRefusal(cause)) {
          this.#refusals.push(cause);
          return undefined;
        }
        if (!TenureError.is(cause) || cause.retry === "never") throw cause;
        this.#failure = cause;
      }
      await this.#pause(pauseMs);
    }
  }

  /** A resource that hangs is not waited for; a claim that it makes later hurts nobody. */
  async #inTime<T>(claim: Promise<T>): Promise<T> {
    const { signal } = this.#over;
    return new Promise<T>((resolve, reject) => {
      const end = () => reject(signal.reason as Error);
      signal.addEventListener("abort", end, { once: true });
      claim.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
    });
  }

  async #pause(pauseMs: number): Promise<void> {
    let timer: Timer | undefined;
    try {
      await this.#inTime(
        new Promise<void>((resolve) => {
          timer = this.#clock.setTimer(pauseMs, resolve);
        }),
      );
    } finally {
      timer?.cancel();
    }
  }

  #timeOut(): void {
    const message = `"${this.#claiming}" was not claimed within ${Math.round(this.#timeoutMs)} ms`;
    this.#over.abort(createError("CLAIM_TIMEOUT", message, { cause: this.#failure }));
  }

  /** Another lineage cannot be outdone by a higher token, so nobody tries. */
  #judge(): void {
    const [first] = this.#refusals;
    if (first === undefined) return;
    const foreign = this.#refusals.find((refusal) => TenureError.is(refusal, "FOREIGN_LINEAGE"));
    if (foreign === undefined) outpace(this.#term, this.#highest);
    throw foreign ?? first;
  }
}

function isRefusal(cause: unknown): cause is TenureError {
  return (
    TenureError.is(cause, "STALE") ||
    TenureError.is(cause, "CONFLICT") ||
    TenureError.is(cause, "FOREIGN_LINEAGE")
  );
}
