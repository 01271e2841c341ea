/** One command over a connection of its own, for those who ask once and hold no store. */

import { realClock } from "../../base/real-clock.js";
import { createError } from "../../errors/index.js";
import { Attempt } from "./attempt.js";
import { exchangeFailed } from "./failures.js";
import { urlRecipe } from "./url.js";

/** Rejects with what a store would say, and after `timeoutMs` for the connection or for the answer. */
export async function sendOnce(url: string, timeoutMs: number, args: readonly string[]): Promise<unknown> {
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
    return await link.send(args);
  } catch (cause) {
    throw exchangeFailed(cause, 0);
  } finally {
    timer.cancel();
    link.destroy(late);
  }
}
