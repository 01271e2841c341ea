/**
 * Virtual time over real input and output.
 *
 * Time stands still while the driver works on a call and passes in small steps
 * otherwise, so a slow disk or server changes nothing about a test, and seconds
 * of leases cost milliseconds.
 */

import assert from "node:assert/strict";
import type { VirtualWorld } from "../../base/virtual-clock.js";
import type { Store } from "../../lease/store.js";
import { wrapStore } from "../../lease/wrap-store.js";

/** Far below every duration of a lease of one second. */
const stepMs = 5;

export interface Pace {
  /** A store object whose calls time waits for. */
  observe(store: Store): Store;
  pass(ms: number): Promise<void>;
  /** Lets time pass until `done`, at most `limitMs`; returns how long it took. */
  passUntil(done: () => boolean, limitMs: number, what: string): Promise<number>;
  /** Waits for a promise of an election while time passes. */
  settle<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T>;
}

/** `look` is called after every step, and fails the test by throwing. */
export function createPace(world: VirtualWorld, look: () => void): Pace {
  const working = new Set<Promise<unknown>>();

  async function track<T>(work: Promise<T>): Promise<T> {
    working.add(work);
    return work.finally(() => working.delete(work));
  }

  /** Until the driver owes no answer and nobody has anything left to do at this instant. */
  async function quiet(): Promise<void> {
    do {
      await Promise.allSettled(working);
      await world.advance(0);
    } while (working.size > 0);
  }

  async function step(): Promise<void> {
    await quiet();
    await world.advance(stepMs);
    look();
  }

  async function passUntil(done: () => boolean, limitMs: number, what: string): Promise<number> {
    const startMs = world.nowMs;
    for (await quiet(); !done(); await step()) {
      assert.ok(world.nowMs - startMs < limitMs, `${what} must happen within ${limitMs} ms`);
    }
    return world.nowMs - startMs;
  }

  return {
    observe: (store) =>
      wrapStore(store, {
        read: async (...call) => track(store.read(...call)),
        write: async (...call) => track(store.write(...call)),
      }),
    async pass(ms) {
      for (const endMs = world.nowMs + ms; world.nowMs < endMs; ) await step();
      await quiet();
    },
    passUntil,
    async settle(promise, limitMs, what) {
      let settled = false;
      const mark = () => void (settled = true);
      void promise.then(mark, mark);
      await passUntil(() => settled, limitMs, what);
      return promise;
    },
  };
}
