/** `ensure(ms)`: enough time left for a step, renewed for when it is not. */

import { offAbort, onAbort } from "../base/abort.js";
import { optionError } from "../base/options.js";
import { createError } from "../errors/index.js";
import type { Engine } from "./algorithm.js";
import type { Term } from "./api.js";

/** A renewal that was under way already may give less than asked: ask again, but not for ever. */
const ensureRenewals = 3;

export async function ensure(
  term: Pick<Term, "check" | "remainingMs">,
  engine: Engine,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const longest = engine.longestBeliefMs;
  if (typeof ms !== "number" || !(ms >= 0 && ms <= longest)) {
    throw optionError("ms", ms, `a number from 0 to ${longest}, what a fresh renewal gives`);
  }
  for (let renewals = 0; ; renewals += 1) {
    signal?.throwIfAborted();
    term.check();
    if (term.remainingMs() >= ms) return;
    const confirmed = renewals < ensureRenewals && (await renewal(engine, signal));
    term.check();
    if (!confirmed) {
      const message = `${Math.floor(term.remainingMs())} ms remain, ${ms} ms were asked for`;
      throw createError("ENSURE_UNCONFIRMED", message);
    }
  }
}

function renewal(engine: Engine, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal?.reason);
    if (signal !== undefined) onAbort(signal, giveUp);
    engine.renew((confirmed) => {
      if (signal !== undefined) offAbort(signal, giveUp);
      resolve(confirmed);
    });
  });
}
