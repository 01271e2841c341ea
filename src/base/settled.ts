/** Where microtasks end: for virtual time, which may only pass when nothing is left to do at an instant. */

import { nextTick } from "node:process";

const settled = Promise.resolve();

/** Calls back when no microtask is left, however many each of them has queued. */
export function onceSettled(then: () => void): void {
  eachTimeSettled(then)();
}

/** The same again and again, at the price of one: what it answers has `then` called back once for each call of it. */
export function eachTimeSettled(then: () => void): () => void {
  const tick = () => nextTick(then);
  // Without the microtask before it, a tick would come before those that are queued already.
  return () => void settled.then(tick);
}
