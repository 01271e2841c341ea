/** How many calls of a kind a sender has sent in this very instant: a process may send two alike at once. */

import type { CallKind } from "../faults/fault.js";

export class InstantCalls {
  readonly #counts = new Map<string, number>();
  #atMs = 0;

  sent(atMs: number, who: string, call: CallKind): void {
    if (atMs !== this.#atMs) {
      this.#atMs = atMs;
      this.#counts.clear();
    }
    const key = `${who} ${call}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Before the one that is sent now. */
  others(who: string, call: CallKind): number {
    return Math.max((this.#counts.get(`${who} ${call}`) ?? 0) - 1, 0);
  }
}
