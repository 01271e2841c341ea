/**
 * A typed emitter whose listeners cannot hurt the emitter.
 *
 * No "error" event that ends the process, no listener limit, no order promise
 * between listeners beyond registration order. A listener that throws, or
 * returns a promise that rejects, is reported to `onFault` and nothing else changes.
 */

import { offAbort, onAbort } from "./abort.js";

interface Entry {
  readonly event: PropertyKey;
  readonly listener: (value: never) => unknown;
  readonly off: () => void;
}

const none: readonly Entry[] = [];

export class Emitter<Events> {
  readonly #onFault: (event: keyof Events, cause: unknown) => void;
  #entries: readonly Entry[] = none;

  constructor(onFault: (event: keyof Events, cause: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Returns the function that removes the listener. */
  on<K extends keyof Events>(
    event: K,
    listener: (value: Events[K]) => unknown,
    signal?: AbortSignal,
  ): () => void {
    if (signal?.aborted === true) return () => {};
    const off = () => {
      this.#entries = this.#entries.filter((other) => other !== entry);
      if (signal !== undefined) offAbort(signal, off);
    };
    const entry: Entry = { event, listener, off };
    if (signal !== undefined) onAbort(signal, off);
    // A new array each time: an emission under way goes through the one it began with.
    this.#entries = [...this.#entries, entry];
    return off;
  }

  emit<K extends keyof Events>(event: K, value: Events[K]): void {
    for (const entry of this.#entries) {
      if (entry.event === event) this.#call(event, entry.listener as (value: Events[K]) => unknown, value);
    }
  }

  /** Forgets every listener. */
  clear(): void {
    for (const { off } of this.#entries) off();
  }

  #call<K extends keyof Events>(event: K, listener: (value: Events[K]) => unknown, value: Events[K]): void {
    try {
      const result = listener(value);
      Promise.resolve(result).catch((cause: unknown) => this.#onFault(event, cause));
    } catch (cause) {
      this.#onFault(event, cause);
    }
  }
}
