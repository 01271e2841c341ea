/** What a namespace was made with, for those who have to follow it. Makes nothing on the server. */

import { realClock } from "../../base/real-clock.js";
import { createError } from "../../errors/index.js";
import { Attempt } from "./attempt.js";
import { exchangeFailed } from "./failures.js";
import { markerKey } from "./keys.js";
import { urlRecipe } from "./url.js";

export interface MarkedPlace {
  readonly prefix?: string;
  /** Encoded, as it is the first part of a key of the port. */
  readonly namespace: string;
  readonly timeoutMs: number;
}

/** Undefined where nobody has stood yet. Rejects with what the store itself would say. */
export async function readMaxTtlMs(url: string, place: MarkedPlace): Promise<number | undefined> {
  const { prefix = "tenure", namespace, timeoutMs } = place;
  const attempt = new Attempt({
    recipe: urlRecipe(url),
    clock: realClock,
    connectTimeoutMs: timeoutMs,
    inspected() {},
    ended() {},
  });
  const late = createError("STORE_UNREACHABLE", `no answer from the Redis server within ${timeoutMs} ms`);
  const link = await attempt.link;
  const timer = realClock.setTimer(timeoutMs, () => link.destroy(late));
  try {
    const marker = await link.send(["GET", markerKey(prefix, namespace)]);
    const [, maxTtlMs] = /"maxTtlMs":(\d+)/.exec(typeof marker === "string" ? marker : "") ?? [];
    return maxTtlMs === undefined ? undefined : Number(maxTtlMs);
  } catch (cause) {
    throw exchangeFailed(cause, 0);
  } finally {
    timer.cancel();
    link.destroy(late);
  }
}
