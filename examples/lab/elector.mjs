// An elector for `tenure lab run --elector elector.mjs`: a template, around the election of this package.
//
// Put your own in the place of `inner`. What it needs it is given: a store, a key in it, a clock, chance, the name of
// its node, and the ttl. Time and chance come from nowhere else: `Date.now`, `setTimeout` or `Math.random` know nothing
// of the lab's time, so an elector that uses them stands still there, or runs otherwise each time.
import { createElector as createInner } from "tenure/lab";

/**
 * What your elector promises less of than `docs/safety.md` asks. Left out: clocks of two machines may differ in rate by
 * any factor below 1.5, and machines may sleep.
 *
 * @type {import("tenure/lab").Assumptions}
 */
export const assumptions = { clockRates: 1.5, sleep: true };

/** @type {import("tenure/lab").CreateElector} */
export function createElector({ store, key, clock, random, node, ttlMs }) {
  const inner = createInner({ store, key, clock, random, node, ttlMs });
  return {
    // Stands from now on. Answers at once; what it does later it does from timers of `clock` and answers of `store`.
    start: () => inner.start(),
    // Whether this node may act now. Asked at any instant at which the process can run, most of all right after it stood
    // still: so look at the clock, and do not answer from a variable that a timer will set.
    check: () => inner.check(),
    // The fencing token of the term that `check` speaks of: a whole number, higher in every later term of any node.
    token: () => inner.token(),
    // Leaves, and gives back what it holds, so that another one need not wait. Never rejects.
    stop: () => inner.stop(),
  };
}
