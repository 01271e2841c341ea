/**
 * The numbering of one term's writes to one resource, between a handle and its guard.
 *
 * Promise: a number is spent when its write was applied and by nothing else; a write
 * whose outcome is unknown keeps number and operation until it is settled, and its
 * error carries the attempt to hand back; at most `concurrency` writes are under way,
 * none so far ahead of another that the resource would forget it. All handles of one
 * term and resource share one writer, since they share the numbers.
 */

import { optionError, text } from "../base/options.js";
import { createError, TenureError } from "../errors/index.js";
import type { Attempt, Claimant, Fence, Sequence } from "./fence.js";
import type { KnownOperation, Refusal, WriteOrder } from "./guard.js";
import { refusalError } from "./refusals.js";
import { recallResult } from "./results.js";
import { checkFence, longestOpIdBytes } from "./row.js";
import { createSequence, windowSize } from "./sequence.js";
import { Turns } from "./turns.js";

export interface WriteOptions {
  /** From an error of this handle: the same write again, under the same number. */
  readonly attempt?: Attempt;
  /**
   * Names the operation, 1 to 64 bytes, where it means something beyond this call: a row's key, a tick.
   * Within a term the resource answers it once, as far as the last 64 writes; across terms where it keeps a
   * table of operations. Default: a fresh one.
   */
  readonly opId?: string;
  /** Asked until the write is sent; from then on its answer is waited for. */
  readonly signal?: AbortSignal;
}

/** What a resource says to one attempt. A guard throws where nothing was applied for certain. */
export type WriteAnswer<R> =
  | { readonly kind: "applied"; readonly result: R }
  | { readonly kind: "duplicate"; readonly bySeq: boolean; readonly known: KnownOperation }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "unconfirmed"; readonly cause: unknown };

export interface WriterOptions {
  /** For messages. */
  readonly resource: string;
  /** The name of the allocator in the leadership; see `CellOptions`. */
  readonly numbering: string;
  readonly order: WriteOrder;
  /** Writes under way at once, 1 to 64; always 1 under strict order. */
  readonly concurrency: number;
}

export function toClaimant(claimant: Claimant | Fence): Claimant {
  return "fence" in claimant ? claimant : { fence: claimant };
}

/** By sequence: two handles of one term must not each believe that a number is theirs. */
const writers = new WeakMap<Sequence, Writer>();

/** The writer of `claimant` for a resource. `seq`: the highest number that the claim found applied. */
export function writerFor(claimant: Claimant, seq: number, options: WriterOptions): Writer {
  const sequence = claimant.sequence?.(options.numbering) ?? createSequence(options.numbering);
  sequence.resume(seq);
  const writer = writers.get(sequence) ?? new Writer(claimant, sequence, options);
  writers.set(sequence, writer);
  return writer;
}

export class Writer {
  readonly fence: Fence;
  readonly #claimant: Claimant;
  readonly #resource: string;
  readonly #sequence: Sequence;
  readonly #strict: boolean;
  readonly #turns: Turns;
  readonly #underWay = new Set<number>();
  /** Attempts that may have been applied, by number. */
  readonly #doubted = new Map<number, Attempt>();

  constructor(claimant: Claimant, sequence: Sequence, { resource, order, concurrency }: WriterOptions) {
    this.fence = checkFence(claimant.fence);
    this.#claimant = claimant;
    this.#resource = resource;
    this.#sequence = sequence;
    this.#strict = order === "strict";
    this.#turns = new Turns(resource, this.#strict ? 1 : concurrency);
  }

  /** Rejects with what `send` throws, with the refusal, or with GUARD_UNCONFIRMED. */
  async write<R>(options: WriteOptions, send: (attempt: Attempt) => Promise<WriteAnswer<R>>): Promise<R> {
    const wanted = this.#check(options);
    await this.#turns.take(options.signal);
    try {
      const attempt = await this.#number(wanted, options.signal);
      this.#underWay.add(attempt.seq);
      try {
        return this.#settle(attempt, await this.#send(attempt, send));
      } finally {
        this.#underWay.delete(attempt.seq);
      }
    } finally {
      this.#turns.leave();
    }
  }

  /** Tells the election of a higher token, if the term is still current, and makes an error of the refusal. */
  refuse(refusal: Refusal, attempt?: Attempt, cause?: unknown): TenureError {
    if (refusal.code === "STALE" || refusal.code === "CONFLICT") outpace(this.#claimant, refusal.watermark);
    const doubted = attempt !== undefined && this.#doubted.has(attempt.seq);
    return refusalError(this.#resource, this.fence, refusal, attempt, doubted, cause);
  }

  #check({ attempt, opId }: WriteOptions): Attempt | Pick<Attempt, "opId"> | undefined {
    if (opId !== undefined) text("opId", opId, longestOpIdBytes);
    if (attempt === undefined) return opId === undefined ? undefined : { opId };
    const { resource } = this.#sequence;
    if (attempt.resource !== resource)
      throw optionError("attempt.resource", attempt.resource, `"${resource}"`);
    if (opId !== undefined && opId !== attempt.opId) throw optionError("opId", opId, "that of the attempt");
    text("attempt.opId", attempt.opId, longestOpIdBytes);
    return attempt;
  }

  /** An attempt of this term that is still in use keeps its number; anything else is given the next one. */
  async #number(
    wanted: Attempt | Pick<Attempt, "opId"> | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    if (wanted !== undefined && "seq" in wanted && this.#sequence.holds(wanted)) {
      if (!this.#underWay.has(wanted.seq)) return wanted;
      throw optionError("attempt", `#${wanted.seq}`, "one that is not under way");
    }
    const [pending] = this.#doubted.values();
    if (this.#strict && pending !== undefined) {
      const message = `number ${pending.seq} of "${this.#resource}" is not settled`;
      throw createError("ATTEMPT_PENDING", message, { fields: { attempt: pending } });
    }
    for (;;) {
      const attempt = this.#sequence.next(wanted?.opId);
      if (attempt.seq - Math.min(attempt.seq, ...this.#underWay) < windowSize) return attempt;
      this.#sequence.giveBack(attempt);
      await this.#turns.nextLeave(signal);
    }
  }

  async #send<R>(
    attempt: Attempt,
    send: (attempt: Attempt) => Promise<WriteAnswer<R>>,
  ): Promise<WriteAnswer<R>> {
    try {
      return await send(attempt);
    } catch (cause) {
      // This send did nothing, but an earlier one may have, or may still.
      if (this.#doubted.has(attempt.seq)) return { kind: "unconfirmed", cause };
      this.#sequence.giveBack(attempt);
      throw cause;
    }
  }

  #settle<R>(attempt: Attempt, answer: WriteAnswer<R>): R {
    if (answer.kind === "refused") throw this.#refused(attempt, answer.refusal);
    if (answer.kind === "unconfirmed") {
      this.#doubted.set(attempt.seq, attempt);
      const message = `number ${attempt.seq} of "${this.#resource}" may have been applied`;
      throw createError("GUARD_UNCONFIRMED", message, { cause: answer.cause, fields: { attempt } });
    }
    // Known under another number: this one was not needed. A late send of it will be known as well.
    if (answer.kind === "duplicate" && !answer.bySeq) this.#sequence.giveBack(attempt);
    else this.#sequence.commit(attempt);
    this.#doubted.delete(attempt.seq);
    return answer.kind === "applied" ? answer.result : (recallResult(attempt, answer.known) as R);
  }

  #refused(attempt: Attempt, refusal: Refusal): TenureError {
    const error = this.refuse(refusal, attempt);
    // The number stands for another write of this term: it is spent, though not by us.
    if (refusal.code === "SEQUENCE_REUSED") this.#sequence.commit(attempt);
    else if (!this.#doubted.has(attempt.seq)) this.#sequence.giveBack(attempt);
    return error;
  }
}

/** For a claim that the protocol refused: tells the term of a higher token, and makes the error to reject with. */
export function refuseClaim(resource: string, claimant: Claimant, refusal: Refusal): TenureError {
  if ("watermark" in refusal) outpace(claimant, refusal.watermark);
  return refusalError(resource, claimant.fence, refusal);
}

/** A term that is over cannot take a higher token, and need not. */
export function outpace(claimant: Claimant, watermark: number): void {
  try {
    claimant.outpaced?.(watermark);
  } catch (cause) {
    if (!TenureError.is(cause, "LEADERSHIP_LOST")) throw cause;
  }
}
