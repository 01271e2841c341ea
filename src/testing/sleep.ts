/** Waiting on the virtual clock, with the signature of `setTimeout` from `node:timers/promises`. */

import type { Clock } from "../base/clock.js";

/**
 * Resolves after `ms`. Rejects with an AbortError, whose cause is the signal's reason, when the signal aborts.
 * `setTimeout` of `node:timers/promises` fits this type.
 */
export type Sleep = (
  ms: number,
  value?: undefined,
  options?: { readonly signal?: AbortSignal },
) => Promise<void>;

export function createSleep(clock: Clock): Sleep {
  return (ms, _value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(abortError(signal));
        return;
      }
      const timer = clock.setTimer(ms, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      function onAbort(): void {
        timer.cancel();
        reject(abortError(signal));
      }
      signal?.addEventListener("abort", onAbort, { once: true });
    });
}

/** As Node makes it, so that work cannot tell the difference. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}
