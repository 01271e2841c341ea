/**
 * A store object in front of another one, with `read` or `write` of its own.
 *
 * Written out, not spread: a driver may be a class, whose methods a spread would lose, and what is found out later
 * must show. It offers no batches, since those would pass by whatever stands in front.
 */

import type { Store, StoreFinding } from "./store.js";

const nothingFound: readonly StoreFinding[] = [];

export function wrapStore(store: Store, change: Partial<Pick<Store, "read" | "write">>): Store {
  return {
    kind: store.kind,
    scope: store.scope,
    capabilities: store.capabilities,
    maxTtlMs: store.maxTtlMs,
    get findings() {
      return store.findings ?? nothingFound;
    },
    read: change.read ?? (async (...call) => store.read(...call)),
    write: change.write ?? (async (...call) => store.write(...call)),
    watch(keys, wake, signal) {
      store.watch?.(keys, wake, signal);
    },
    [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose](),
  };
}
