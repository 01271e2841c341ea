/**
 * One term as users hold it: every answer is computed from the clock when it is asked for.
 *
 * Classes inside, plain interfaces outside: getters on a prototype cost nothing per term.
 */

import { optionError } from "../base/options.js";
import { createError, type TenureError } from "../errors/index.js";
import type { Fence, Sequence } from "../fence/fence.js";
import type { Engine } from "./algorithm.js";
import type { AnyLeadership, Leadership, Term } from "./api.js";
import { ensure } from "./ensure.js";
import type { EndReason } from "./events.js";
import { createSequence } from "../fence/sequence.js";

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
export class TermHandle {
  readonly parts: TermParts;
  readonly leadership: AnyLeadership;
  readonly ended: Promise<EndReason>;
  /** Settles when the lease was released or left, after the work or the drain. */
  readonly over: Promise<void>;
  endReason: EndReason | undefined;
  #controller: AbortController | undefined;
  #loss: TenureError | undefined;
  #resolveEnded: (reason: EndReason) => void = () => {};
  #resolveOver: () => void = () => {};

  constructor(parts: TermParts) {
    this.parts = parts;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
    const { token } = parts;
    this.leadership = token === undefined ? new OpenTerm(this) : new FencedTerm(this, token);
  }

  /** Belief is over already; tells everybody who waits. */
  end(reason: EndReason): void {
    if (this.endReason !== undefined) return;
    this.endReason = reason;
    this.#controller?.abort(this.lossError());
    this.#resolveEnded(reason);
  }

  finish(): void {
    this.#resolveOver();
  }

  remainingMs(): number {
    return this.endReason === undefined ? this.parts.engine.remainingMs() : 0;
  }

  signal(): AbortSignal {
    this.remainingMs();
    this.#controller ??= new AbortController();
    const { signal } = this.#controller;
    if (this.endReason !== undefined && !signal.aborted) this.#controller.abort(this.lossError());
    return signal;
  }

  /** The reason that signals and checks give. */
  lossError(): TenureError {
    const message = `the term of "${this.parts.election}" has ended: ${this.endReason ?? "deadline"}`;
    this.#loss ??= createError("LEADERSHIP_LOST", message);
    return this.#loss;
  }
}

class OpenTerm implements Term {
  readonly #handle: TermHandle;

  constructor(handle: TermHandle) {
    this.#handle = handle;
  }

  get namespace(): string {
    return this.#handle.parts.namespace;
  }

  get election(): string {
    return this.#handle.parts.election;
  }

  get node(): string {
    return this.#handle.parts.node;
  }

  get isCurrent(): boolean {
    return this.#handle.remainingMs() > 0;
  }

  get signal(): AbortSignal {
    return this.#handle.signal();
  }

  get ended(): Promise<EndReason> {
    return this.#handle.ended;
  }

  check(): void {
    if (this.#handle.remainingMs() <= 0) throw this.#handle.lossError();
  }

  remainingMs(): number {
    return this.#handle.remainingMs();
  }

  ensure(ms: number, { signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return ensure(this, this.#handle.parts.engine, ms, signal);
  }

  resign({ to }: { readonly to?: string } = {}): Promise<void> {
    return this.#handle.parts.resign(to);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.parts.resign(undefined);
  }
}

/** Adds what only algorithms with a token give. */
class FencedTerm extends OpenTerm implements Leadership {
  readonly token: number;
  readonly fence: Fence;
  readonly #parts: TermParts;
  #sequences: Map<string, Sequence> | undefined;

  constructor(handle: TermHandle, token: number) {
    super(handle);
    const { engine, namespace, election, instance: owner } = handle.parts;
    this.token = token;
    this.#parts = handle.parts;
    this.fence = Object.freeze({ v: 1, namespace, election, lineage: engine.lineage, token, owner } as const);
  }

  sequence(resource: string): Sequence {
    this.#sequences ??= new Map();
    const known = this.#sequences.get(resource) ?? createSequence(resource);
    this.#sequences.set(resource, known);
    return known;
  }

  outpaced(watermark: number): void {
    this.check();
    if (!Number.isSafeInteger(watermark) || watermark < this.token || watermark > 2 ** 52) {
      throw optionError(
        "watermark",
        watermark,
        `a token of at least this term's ${this.token}, at most 2^52`,
      );
    }
    const { engine, drainMs } = this.#parts;
    engine.outpaced(watermark, drainMs);
  }
}
