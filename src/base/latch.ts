/**
 * A one-shot: open, then closed for ever. What an AbortController is to users, for our own
 * use, at a twentieth of its size; each election has several.
 *
 * Must stay inside: users and drivers are given an AbortSignal.
 */

import { callEach } from "./call-each.js";

const none: readonly (() => void)[] = [];

export class Latch {
  #closed = false;
  #waiting: readonly (() => void)[] = none;

  get closed(): boolean {
    return this.#closed;
  }

  /** Calls whoever waits, in the order in which they came. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // One that is removed before its turn is not called.
    callEach(this.#waiting, (callback) => this.#waiting.includes(callback) && callback());
    this.#waiting = none;
  }

  /** Calls back once, when it closes. Whoever comes after that is not called. */
  add(callback: () => void): void {
    if (!this.#closed) this.#waiting = this.#waiting.concat(callback);
  }

  remove(callback: () => void): void {
    const others = this.#waiting.filter((other) => other !== callback);
    this.#waiting = others.length === 0 ? none : others;
  }

  /** Resolves when it closes, at once when it is closed. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closed) resolve();
      else this.add(resolve);
    });
  }
}
