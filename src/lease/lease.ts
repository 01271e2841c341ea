/**
 * The lease as an algorithm: leadership is a record in a store that others respect for its ttl.
 *
 * Promise: belief is exclusive (P1) and tokens rise (P2), under the assumptions in
 * `budget.assumptions`. Non-promise: nothing is promised when the store loses an
 * acknowledged write, except by guards that check the token.
 */

import { encodeName } from "../base/names.js";
import { oneOf, optionError } from "../base/options.js";
import type { Algorithm, Engine, EngineContext } from "../election/algorithm.js";
import type { Leadership } from "../election/api.js";
import { type LeaseTimingOptions, resolveTiming } from "./budget.js";
import { LeaseEngine } from "./engine.js";
import type { LeaseRecord } from "./record.js";
import type { Store } from "./store.js";

export interface LeaseOptions extends LeaseTimingOptions {
  /** Where the lease lives. The election uses it and never closes it. */
  readonly store: Store;
  /**
   * Whose clock says that a leader of this election is dead: `observed`, that of each candidate, which watches the
   * record for a ttl; `store-clock`, the store's, where it has one. Default `observed`: it needs no clock but the
   * candidate's own, and P1 holds. With `store-clock` a dead leader's lease is taken at the first look, but a clock of
   * the store that steps makes two leaders for a moment, so belief is advisory. The leader's choice stands in the
   * record, and candidates follow it.
   */
  readonly expiry?: "observed" | "store-clock";
}

export const leaseOptionNames: readonly (keyof LeaseOptions)[] = [
  "store",
  "ttlMs",
  "renewMs",
  "requestTimeoutMs",
  "expiry",
];

/** @throws INVALID_OPTION naming the option, its value and range, or the relation that is broken. */
export function lease(options: LeaseOptions): Algorithm<Leadership> {
  const { store } = options;
  if (!isStore(store)) throw optionError("store", store, "a store, such as fileStore(directory)");
  const timing = resolveTiming(options, store.maxTtlMs);
  const expiry = resolveExpiry(options.expiry, store);
  const build = (context: EngineContext): Engine => {
    const { namespace, name } = context.options;
    return new LeaseEngine(context, { store, timing, expiry, key: leaseKey(namespace, name) });
  };
  return { kind: "lease", "~engine": build };
}

function resolveExpiry(expiry: LeaseRecord["expiry"] = "observed", store: Store): LeaseRecord["expiry"] {
  oneOf("expiry", expiry, ["observed", "store-clock"]);
  if (expiry === "store-clock" && !store.capabilities.storeClock) {
    throw optionError(
      "expiry",
      expiry,
      `"observed": the ${store.kind} store does not judge by a clock of its own`,
    );
  }
  return expiry;
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
