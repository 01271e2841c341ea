/**
 * The lease as an algorithm: leadership is a record in a store that others respect for its ttl.
 *
 * Promise: belief is exclusive (P1) and tokens rise (P2), under the assumptions in
 * `budget.assumptions`. Non-promise: nothing is promised when the store loses an
 * acknowledged write, except by guards that check the token.
 */

import { encodeName } from "../base/names.js";
import { optionError } from "../base/options.js";
import type { Algorithm, Engine, EngineContext } from "../election/algorithm.js";
import type { Leadership } from "../election/api.js";
import { type LeaseTimingOptions, resolveTiming } from "./budget.js";
import { LeaseEngine } from "./engine.js";
import type { Store } from "./store.js";

export interface LeaseOptions extends LeaseTimingOptions {
  /** Where the lease lives. The election uses it and never closes it. */
  readonly store: Store;
}

export const leaseOptionNames: readonly (keyof LeaseOptions)[] = [
  "store",
  "ttlMs",
  "renewMs",
  "requestTimeoutMs",
];

/** @throws INVALID_OPTION naming the option, its value and range, or the relation that is broken. */
export function lease(options: LeaseOptions): Algorithm<Leadership> {
  const { store } = options;
  if (!isStore(store)) throw optionError("store", store, "a store, such as fileStore(directory)");
  const timing = resolveTiming(options, store.maxTtlMs);
  const build = (context: EngineContext): Engine => {
    const { namespace, name } = context.options;
    return new LeaseEngine(context, { store, timing, key: leaseKey(namespace, name) });
  };
  return { kind: "lease", "~engine": build };
}

/** Where the record of an election lies in its store. */
export function leaseKey(namespace: string, name: string): string {
  return `${encodeName(namespace)}/${encodeName(name)}`;
}

function isStore(store: Store | undefined): store is Store {
  return (
    typeof store?.read === "function" &&
    typeof store.write === "function" &&
    typeof store.capabilities === "object" &&
    Number.isInteger(store.maxTtlMs)
  );
}
