/** A store that somebody replaces by an empty one behind everybody's back. */

import type { Store } from "../../src/lease/store.js";
import { memoryStore } from "../../src/stores/memory/index.js";

export interface Replaceable {
  readonly store: Store;
  /** What was there is forgotten. */
  readonly empty: () => void;
}

export function replaceable(): Replaceable {
  let inner = memoryStore();
  const store: Store = {
    ...inner,
    read: async (key, call) => inner.read(key, call),
    write: async (key, record, expected, call) => inner.write(key, record, expected, call),
    watch: () => {},
  };
  return {
    store,
    empty() {
      inner = memoryStore();
    },
  };
}
