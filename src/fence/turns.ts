/** Whose turn it is: a bounded, first-come queue in front of a few places. */

import { createError } from "../errors/index.js";

/** Each waiting write holds its caller's data; whoever has more under way than this is not waiting for answers. */
const longestQueue = 1_024;

export class Turns {
  readonly #name: string;
  readonly #queue = new Set<() => void>();
  readonly #onLeave = new Set<() => void>();
  #free: number;

  /** `name` stands in the error of a full queue. */
  constructor(name: string, places: number) {
    this.#name = name;
    this.#free = places;
  }

  /** Resolves when a place is taken. Rejects with WRITE_QUEUE_FULL, or with the signal's reason. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#queue.size >= longestQueue) {
      throw createError("WRITE_QUEUE_FULL", `${longestQueue} writes wait for "${this.#name}" already`);
    }
    await called(this.#queue, signal);
  }

  /** Gives the place to whoever waits longest. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#free += 1;
    else next();
    for (const call of this.#onLeave) call();
  }

  /** Resolves when somebody else has left. Rejects with the signal's reason. */
  async nextLeave(signal: AbortSignal | undefined): Promise<void> {
    await called(this.#onLeave, signal);
  }
}

/** Waits in `queue` to be called, or for the signal. */
async function called(queue: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      queue.delete(call);
      signal?.removeEventListener("abort", abort);
    };
    const call = () => {
      leave();
      resolve();
    };
    const abort = () => {
      leave();
      reject(signal?.reason as Error);
    };
    queue.add(call);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
