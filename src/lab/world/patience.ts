/** Patience with one answer of the guarded resource. */

import type { Clock } from "../../base/clock.js";

const timeoutMs = 2_000;

export type Timely<T> = { readonly answer: T } | { readonly cause: unknown };

/** Never rejects. */
export function inTime<T>(clock: Clock, call: Promise<T>): Promise<Timely<T>> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(timeoutMs, () => resolve({ cause: new Error("no answer in time") }));
    const settle = (outcome: Timely<T>) => {
      timer.cancel();
      resolve(outcome);
    };
    call.then(
      (answer) => settle({ answer }),
      (cause: unknown) => settle({ cause }),
    );
  });
}
