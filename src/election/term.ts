/**
 * One term as users hold it: every answer is computed from the clock when it is asked for.
 *
 * Classes inside, plain interfaces outside: getters on a prototype cost nothing per term.
 */

import { Latch } from "../base/latch.js";
import { optionError } from "../base/options.js";
import { createError, type TenureError } from "../errors/index.js";
import type { Fence, Sequence } from "../fence/fence.js";
import type { Engine } from "./algorithm.js";
import type { AnyLeadership, Leadership, Term } from "./api.js";
import { ensure } from "./ensure.js";
import type { EndReason } from "./events.js";
import type { ResolvedOptions } from "./options.js";
import { createSequence } from "../fence/sequence.js";

export interface TermParts {
  readonly engine: Engine;
  readonly options: ResolvedOptions;
  readonly instance: string;
  readonly token: number | undefined;
  readonly drainMs: number;
  /** Whether `resign()` says that the work has settled; else the function that runs it does. */
  readonly settledByUser: boolean;
}

/** The election's side of a term. */
export class TermHandle {
  readonly engine: Engine;
  readonly options: ResolvedOptions;
  readonly instance: string;
  readonly token: number | undefined;
  readonly drainMs: number;
  readonly leadership: AnyLeadership;
  /** Closed when the lease was released or left, after the work or the drain. */
  readonly over: Latch = new Latch();
  readonly #settledByUser: boolean;
  endReason: EndReason | undefined;
  /** A later term of the same election has begun: the engine is none of this one's business any more. */
  past = false;
  #ended: Promise<EndReason> | undefined;
  #resolveEnded: ((reason: EndReason) => void) | undefined;
  #controller: AbortController | undefined;
  #loss: TenureError | undefined;

  constructor({ engine, options, instance, token, drainMs, settledByUser }: TermParts) {
    this.engine = engine;
    this.options = options;
    this.instance = instance;
    this.token = token;
    this.drainMs = drainMs;
    this.#settledByUser = settledByUser;
    this.leadership = token === undefined ? new OpenTerm(this) : new FencedTerm(this, token);
  }

  /** Most terms are asked for this once or never. */
  get ended(): Promise<EndReason> {
    this.#ended ??= new Promise((resolve) => {
      if (this.endReason === undefined) this.#resolveEnded = resolve;
      else resolve(this.endReason);
    });
    return this.#ended;
  }

  /** Belief is over already; tells everybody who waits. */
  end(reason: EndReason): void {
    if (this.endReason !== undefined) return;
    this.endReason = reason;
    this.#controller?.abort(this.lossError());
    this.#resolveEnded?.(reason);
  }

  remainingMs(): number {
    return this.endReason === undefined ? this.engine.remainingMs() : 0;
  }

  signal(): AbortSignal {
    this.remainingMs();
    this.#controller ??= new AbortController();
    const { signal } = this.#controller;
    if (this.endReason !== undefined && !signal.aborted) this.#controller.abort(this.lossError());
    return signal;
  }

  async resign(to: string | undefined): Promise<void> {
    if (!this.past) {
      // Who calls `resign()` on a campaign of its own says with it that the work is done.
      if (this.#settledByUser) this.engine.settle();
      this.engine.end("resigned", this.drainMs, to);
    }
    // Inside `run` the release waits for the work, and the work may be waiting for this.
    await (this.#settledByUser ? this.over.wait() : this.ended);
  }

  /** The reason that signals and checks give. */
  lossError(): TenureError {
    const message = `the term of "${this.options.name}" has ended: ${this.endReason ?? "deadline"}`;
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
    return this.#handle.options.namespace;
  }

  get election(): string {
    return this.#handle.options.name;
  }

  get node(): string {
    return this.#handle.options.node;
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
    return ensure(this, this.#handle.engine, ms, signal);
  }

  resign({ to }: { readonly to?: string } = {}): Promise<void> {
    return this.#handle.resign(to);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.resign(undefined);
  }
}

/** Adds what only algorithms with a token give. */
class FencedTerm extends OpenTerm implements Leadership {
  readonly token: number;
  readonly #handle: TermHandle;
  #fence: Fence | undefined;
  #sequences: Map<string, Sequence> | undefined;

  constructor(handle: TermHandle, token: number) {
    super(handle);
    this.token = token;
    this.#handle = handle;
  }

  get fence(): Fence {
    const { engine, instance: owner, options } = this.#handle;
    const { namespace, name: election } = options;
    const { token } = this;
    this.#fence ??= Object.freeze({
      v: 1,
      namespace,
      election,
      lineage: engine.lineage,
      token,
      owner,
    } as const);
    return this.#fence;
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
    const { engine, drainMs } = this.#handle;
    engine.outpaced(watermark, drainMs);
  }
}
