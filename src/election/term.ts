/**
 * One term as users hold it: every answer is computed from the clock when it is asked for.
 */

import { optionError } from "../base/options.js";
import { createError, type TenureError } from "../errors/index.js";
import type { Sequence } from "../fence/fence.js";
import type { Engine } from "./algorithm.js";
import type { AnyLeadership, Term } from "./api.js";
import type { EndReason } from "./events.js";
import { createSequence } from "./sequence.js";

export interface TermParts {
  readonly engine: Engine;
  readonly namespace: string;
  readonly election: string;
  readonly node: string;
  readonly instance: string;
  readonly token: number | undefined;
  readonly drainMs: number;
  /** Asks the election to end the term; resolves as `resign` promises. */
  readonly resign: (to: string | undefined) => Promise<void>;
}

/** The election's side of a term. */
export interface TermHandle {
  readonly leadership: AnyLeadership;
  readonly token: number | undefined;
  readonly ended: Promise<EndReason>;
  readonly endReason: EndReason | undefined;
  /** Settles when the lease was released or left, after the work or the drain. */
  readonly over: Promise<void>;
  /** Belief is over already; tells everybody who waits. */
  end(reason: EndReason): void;
  finish(): void;
  /** The reason that signals and checks give. */
  lossError(): TenureError;
}

export function createTerm(parts: TermParts): TermHandle {
  const { engine, election, namespace, node, token } = parts;
  const ended = deferred<EndReason>();
  const over = deferred<void>();
  let endReason: EndReason | undefined;
  let loss: TenureError | undefined;
  let controller: AbortController | undefined;

  function lossError(): TenureError {
    loss ??= createError(
      "LEADERSHIP_LOST",
      `the term of "${election}" has ended: ${endReason ?? "deadline"}`,
    );
    return loss;
  }

  function remainingMs(): number {
    return endReason === undefined ? engine.remainingMs() : 0;
  }

  function check(): void {
    if (remainingMs() <= 0) throw lossError();
  }

  function signal(): AbortSignal {
    remainingMs();
    controller ??= new AbortController();
    if (endReason !== undefined && !controller.signal.aborted) controller.abort(lossError());
    return controller.signal;
  }

  const term: Term = {
    namespace,
    election,
    node,
    get isCurrent() {
      return remainingMs() > 0;
    },
    get signal() {
      return signal();
    },
    ended: ended.promise,
    check,
    remainingMs,
    ensure: (ms, options = {}) => ensure({ engine, check, remainingMs }, ms, options.signal),
    resign: (options = {}) => parts.resign(options.to),
    [Symbol.asyncDispose]: () => parts.resign(undefined),
  };

  return {
    leadership: token === undefined ? term : fenced(term, parts, token, check),
    token,
    ended: ended.promise,
    over: over.promise,
    get endReason() {
      return endReason;
    },
    end(reason) {
      if (endReason !== undefined) return;
      endReason = reason;
      controller?.abort(lossError());
      ended.resolve(reason);
    },
    finish: () => over.resolve(),
    lossError,
  };
}

/** Adds what only algorithms with a token give. Copies getters, not their values. */
function fenced(term: Term, parts: TermParts, token: number, check: () => void): AnyLeadership {
  const { engine, namespace, election, instance, drainMs } = parts;
  const sequences = new Map<string, Sequence>();
  const extra = {
    token,
    fence: Object.freeze({
      v: 1,
      namespace,
      election,
      lineage: engine.lineage,
      token,
      owner: instance,
    } as const),
    sequence(resource: string): Sequence {
      const known = sequences.get(resource) ?? createSequence(resource);
      sequences.set(resource, known);
      return known;
    },
    outpaced(watermark: number): void {
      check();
      if (!Number.isSafeInteger(watermark) || watermark <= token || watermark > 2 ** 52) {
        throw optionError("watermark", watermark, `a token above this term's ${token}, at most 2^52`);
      }
      engine.outpaced(watermark, drainMs);
    },
  };
  return Object.defineProperties(extra, Object.getOwnPropertyDescriptors(term)) as typeof extra & Term;
}

interface Ensuring {
  readonly engine: Engine;
  readonly check: () => void;
  readonly remainingMs: () => number;
}

/** A renewal that was under way already may give less than asked: ask again, but not for ever. */
const ensureRenewals = 3;

async function ensure(term: Ensuring, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { engine, check, remainingMs } = term;
  const longest = engine.longestBeliefMs;
  if (typeof ms !== "number" || !(ms >= 0 && ms <= longest)) {
    throw optionError("ms", ms, `a number from 0 to ${longest}, what a fresh renewal gives`);
  }
  for (let renewals = 0; ; renewals += 1) {
    signal?.throwIfAborted();
    check();
    if (remainingMs() >= ms) return;
    const confirmed = renewals < ensureRenewals && (await renewal(engine, signal));
    check();
    if (!confirmed) {
      const message = `${Math.floor(remainingMs())} ms remain, ${ms} ms were asked for`;
      throw createError("ENSURE_UNCONFIRMED", message);
    }
  }
}

function renewal(engine: Engine, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    engine.renew((confirmed) => {
      signal?.removeEventListener("abort", onAbort);
      resolve(confirmed);
    });
  });
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
