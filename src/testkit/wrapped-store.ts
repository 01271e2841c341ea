/**
 * A store object in front of another one, with `read` and `write` of its own.
 *
 * Written out, not spread: a driver may be a class, whose methods a spread would lose.
 */

import type { Store, StoreFinding } from "../lease/store.js";

const nothingFound: readonly StoreFinding[] = [];

export function wrapStore(store: Store, change: Pick<Store, "read" | "write">): Store {
  return {
    kind: store.kind,
    scope: store.scope,
    capabilities: store.capabilities,
    maxTtlMs: store.maxTtlMs,
    get findings() {
      return store.findings ?? nothingFound;
    },
    read: change.read,
    write: change.write,
    watch(keys, wake, signal) {
      store.watch?.(keys, wake, signal);
    },
    [Symbol.asyncDispose]: async () => store[Symbol.asyncDispose](),
  };
}
