/**
 * Numbers for the writes of one term to one resource: each is spent by a commit, and by nothing else.
 */

import { optionError } from "../base/options.js";
import { freshId } from "../base/random.js";
import type { Attempt, Sequence } from "./fence.js";

/** How far back a resource remembers numbers: a later one makes room for this many others, and is then forgotten. */
export const windowSize = 64;

/**
 * The number in the name of an operation: a fresh name begins with the one that it was drawn for, so that a resource
 * knows where to look when the operation comes again under another. Undefined for a name without.
 */
export function numberIn(opId: string): number | undefined {
  const digits = /^([1-9]\d{0,15})\./.exec(opId)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function createSequence(resource: string): Sequence {
  return new Numbers(resource);
}

class Numbers implements Sequence {
  readonly resource: string;
  #highest = 0;
  readonly #inUse = new Map<number, string>();
  readonly #free = new Set<number>();

  constructor(resource: string) {
    this.resource = resource;
  }

  next(opId?: string): Attempt {
    this.#forget(this.#highest - windowSize);
    const seq = this.#free.size > 0 ? Math.min(...this.#free) : this.#highest + 1;
    this.#free.delete(seq);
    this.#highest = Math.max(this.#highest, seq);
    const named = opId ?? `${seq}.${freshId()}`;
    this.#inUse.set(seq, named);
    return { resource: this.resource, seq, opId: named };
  }

  holds({ resource, seq, opId }: Attempt): boolean {
    return resource === this.resource && this.#inUse.get(seq) === opId;
  }

  commit(attempt: Attempt): void {
    this.#settle(attempt);
  }

  giveBack(attempt: Attempt): void {
    this.#settle(attempt);
    this.#free.add(attempt.seq);
  }

  resume(seq: number): void {
    this.#highest = Math.max(this.#highest, seq);
    this.#forget(seq);
  }

  #settle(attempt: Attempt): void {
    if (!this.holds(attempt)) {
      const { resource, seq } = attempt;
      throw optionError("attempt", `${resource}#${seq}`, `an attempt of "${this.resource}" still in use`);
    }
    this.#inUse.delete(attempt.seq);
  }

  #forget(upTo: number): void {
    for (const seq of this.#free) if (seq <= upTo) this.#free.delete(seq);
  }
}
