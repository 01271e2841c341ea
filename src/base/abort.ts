/**
 * Listening to a caller's AbortSignal, with one listener of ours however many of us listen.
 *
 * Node warns of a leak at the eleventh listener of a signal, and a signal that is handed to
 * a thousand elections is none. Promise: the one listener is there while anybody listens,
 * and gone with the last. As with any event target, whoever comes after the abort hears nothing.
 */

import { callEach } from "./call-each.js";

interface Shared {
  readonly listeners: Set<() => void>;
  readonly hear: () => void;
}

const heard = new WeakMap<AbortSignal, Shared>();

/** Calls `listener` once, when the signal aborts. The same function twice is one listener. */
export function onAbort(signal: AbortSignal, listener: () => void): void {
  const shared = heard.get(signal) ?? share(signal);
  shared.listeners.add(listener);
}

export function offAbort(signal: AbortSignal, listener: () => void): void {
  const shared = heard.get(signal);
  if (shared === undefined || !shared.listeners.delete(listener) || shared.listeners.size > 0) return;
  heard.delete(signal);
  signal.removeEventListener("abort", shared.hear);
}

function share(signal: AbortSignal): Shared {
  const listeners = new Set<() => void>();
  const hear = () => {
    // Known until all have heard, so that one can still take off another.
    callEach(listeners, (listener) => listener());
    heard.delete(signal);
  };
  const shared = { listeners, hear };
  heard.set(signal, shared);
  signal.addEventListener("abort", hear, { once: true });
  return shared;
}
