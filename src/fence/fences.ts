/**
 * Claims before work: `fences` makes a work function of one that receives fenced handles and nothing else.
 *
 * All resources are claimed before the work begins, so that nothing it reads can still be
 * changed by a predecessor. Order is kept per resource; nothing is atomic across two of them.
 */

import { realClock } from "../base/real-clock.js";
import { type FencedTerm, type FencesOptions, fencesOn, type Handles } from "./claims.js";
import type { Guard } from "./guard.js";

/**
 * Work for `election.run` or `runOnce` that starts only after every guard was claimed. Rejects like a claim
 * when one is refused; on STALE and CONFLICT the term has then been ended as `outpaced`, and the next one gets
 * a higher token.
 */
export function fences<
  const G extends Readonly<Record<string, Guard<unknown>>>,
  R,
  L extends FencedTerm = FencedTerm,
>(
  guards: G,
  work: (fenced: Handles<G>, leadership: L) => Promise<R>,
  options: FencesOptions = {},
): (leadership: L) => Promise<R> {
  return fencesOn(realClock, guards, work, options);
}
