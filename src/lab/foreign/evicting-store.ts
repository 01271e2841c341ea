/**
 * A store in memory from which keys can go while it runs, as from a server that makes room: what was written to expire,
 * or all. Its identity stays, and nothing tells a key that went from one that never was.
 */

import type { Store } from "../../lease/store.js";
import { memoryStore } from "../../stores/memory/index.js";

interface Kept {
  readonly store: Store;
  /** By what the record says of itself; those of this package have no expiry. */
  expires: boolean;
}

export class EvictingStore {
  readonly #maxTtlMs: number;
  readonly #common: Store;
  readonly #keys = new Map<string, Kept>();
  readonly store: Store;

  constructor(maxTtlMs: number) {
    this.#maxTtlMs = maxTtlMs;
    this.#common = memoryStore({ maxTtlMs });
    this.store = {
      ...this.#common,
      read: (key, call) => this.#kept(key).store.read(key, call),
      write: (key, record, expected, call) => {
        const kept = this.#kept(key);
        // Whoever writes a key once in this way does so always.
        kept.expires = record.metadata["expiresAt"] !== undefined;
        return kept.store.write(key, record, expected, call);
      },
      watch: (keys, wake, signal) => {
        for (const key of keys) this.#kept(key).store.watch?.([key], wake, signal);
      },
    };
  }

  evict(what: "expiring" | "all"): void {
    for (const [key, { expires }] of this.#keys) if (what === "all" || expires) this.#keys.delete(key);
  }

  #kept(key: string): Kept {
    const known = this.#keys.get(key) ?? { store: memoryStore({ maxTtlMs: this.#maxTtlMs }), expires: false };
    this.#keys.set(key, known);
    return known;
  }
}
