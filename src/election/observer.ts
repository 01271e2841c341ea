/**
 * Observers: the newest view, by property or by iteration. Latest wins, nothing queues.
 */

import { offAbort, onAbort } from "../base/abort.js";
import type { LeaderObserver } from "./api.js";
import type { LeaderView } from "./events.js";

export interface ObserverParts {
  readonly view: () => LeaderView;
  readonly signal: AbortSignal | undefined;
  readonly onClose: (observer: OpenObserver) => void;
}

/** The election's side of an observer. */
export interface OpenObserver extends LeaderObserver {
  notify(): void;
  close(): void;
}

export function createObserver({ view, signal, onClose }: ObserverParts): OpenObserver {
  let news = 1;
  let closed = false;
  const waiting = new Set<() => void>();

  function wakeAll(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    if (signal !== undefined) offAbort(signal, close);
    wakeAll();
    onClose(observer);
  }

  function iterate(): AsyncIterator<LeaderView> {
    let seen = 0;
    return {
      async next() {
        while (!closed && seen === news) {
          await new Promise<void>((resolve) => waiting.add(resolve));
        }
        if (closed) return { done: true, value: undefined };
        seen = news;
        return { done: false, value: view() };
      },
      // Leaving a `for await` loop ends the observer, as nobody else may hold it.
      async return() {
        close();
        return { done: true, value: undefined };
      },
    };
  }

  const observer: OpenObserver = {
    get current() {
      return view();
    },
    notify() {
      news += 1;
      wakeAll();
    },
    close,
    [Symbol.asyncIterator]: iterate,
    async [Symbol.asyncDispose]() {
      close();
    },
  };
  if (signal?.aborted === true) queueMicrotask(close);
  else if (signal !== undefined) onAbort(signal, close);
  return observer;
}
