/** Waiting on the virtual clock, with the signature of `setTimeout` from `node:timers/promises`. */

import { offAbort, onAbort } from "../base/abort.js";
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
        if (signal !== undefined) offAbort(signal, giveUp);
        resolve();
      });
      function giveUp(): void {
        timer.cancel();
        reject(abortError(signal));
      }
      if (signal !== undefined) onAbort(signal, giveUp);
    });
}

/** As Node makes it, so that work cannot tell the difference. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}
