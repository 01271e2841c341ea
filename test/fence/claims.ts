/** Claims that are blocked for a while. */

import { TenureError, type TenureErrorOf } from "../../src/errors/index.js";
import type { Fence } from "../../src/fence/fence.js";
import type { Guard } from "../../src/fence/guard.js";

/** Claims again whenever it is blocked, as `fences` does. */
export async function claimUntil<H>(
  guard: Guard<H>,
  fence: Fence,
): Promise<{ readonly handle: H; readonly blocked: readonly TenureErrorOf<"CLAIM_BLOCKED">[] }> {
  const blocked: TenureErrorOf<"CLAIM_BLOCKED">[] = [];
  for (;;) {
    try {
      return { handle: await guard.claim(fence), blocked };
    } catch (error) {
      if (!TenureError.is(error, "CLAIM_BLOCKED")) throw error;
      blocked.push(error);
    }
  }
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it should have been rejected");
    },
    (error: unknown) => error,
  );
}
