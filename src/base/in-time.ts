/** Waiting for an answer, but not for ever. */

import type { Clock } from "./clock.js";

/** What `promise` says, or "silent" when it has said nothing for `limitMs`. What it says later is not heard. */
export async function inTime<R>(clock: Clock, limitMs: number, promise: Promise<R>): Promise<R | "silent"> {
  let end = () => {};
  const silent = new Promise<"silent">((resolve) => {
    const timer = clock.setTimer(limitMs, () => resolve("silent"));
    end = () => timer.cancel();
  });
  try {
    return await Promise.race([promise, silent]);
  } finally {
    end();
  }
}
