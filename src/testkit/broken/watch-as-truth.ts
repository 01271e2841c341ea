/**
 * Broken: while a key is watched, reads are served from a copy that only a wake refreshes.
 *
 * Client-side caches behave so. Renewals need wake nobody, and wakes may be lost:
 * a follower then sees a live leader stand still.
 */

import type { Store, Stored } from "../../lease/store.js";
import type { StoreHarness } from "../harness.js";
import { createRegister } from "./register.js";

export function watchAsTruth(): StoreHarness {
  const register = createRegister();

  function store(): Store {
    const inner = register.store();
    const copies = new Map<string, Stored | undefined>();
    const watched = new Map<string, number>();

    function count(keys: readonly string[], by: number): void {
      for (const key of keys) watched.set(key, (watched.get(key) ?? 0) + by);
    }

    return {
      ...inner,
      async read(key, call) {
        if ((watched.get(key) ?? 0) === 0) return inner.read(key, call);
        if (!copies.has(key)) copies.set(key, await inner.read(key, call));
        return structuredClone(copies.get(key));
      },
      async write(key, record, expected, call) {
        copies.delete(key);
        return inner.write(key, record, expected, call);
      },
      watch(keys, wake, signal) {
        if (signal.aborted) return;
        count(keys, 1);
        signal.addEventListener("abort", () => count(keys, -1), { once: true });
        const refresh = (key: string) => {
          copies.delete(key);
          wake(key);
        };
        inner.watch?.(keys, refresh, signal);
      },
    };
  }

  return { ...register, store };
}
