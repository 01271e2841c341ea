/**
 * A store that says when it did not answer in time.
 *
 * The bounds of an election assume a store that answers at once. On a machine whose
 * disk or processors are taken it does not, and a verdict that ignored this would
 * blame the election, or need bounds so wide that they say nothing. So each call that
 * ran into its timeout is written down, and judging counts it.
 */

import { TenureError } from "../../errors/index.js";
import type { Call, Store } from "../../lease/store.js";
import { wrapStore } from "../../lease/wrap-store.js";

export function watchedStore(store: Store, onSilence: () => void): Store {
  async function watched<T>(call: Call, send: () => Promise<T>): Promise<T> {
    const timedOut = () => TenureError.is(call.signal.reason, "STORE_TIMEOUT") && onSilence();
    call.signal.addEventListener("abort", timedOut);
    try {
      return await send();
    } finally {
      call.signal.removeEventListener("abort", timedOut);
    }
  }

  return wrapStore(store, {
    read: async (key, call) => watched(call, () => store.read(key, call)),
    write: async (key, record, expected, call) =>
      watched(call, () => store.write(key, record, expected, call)),
  });
}
