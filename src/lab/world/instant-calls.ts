/** How many calls of a kind a sender has sent in this very instant: a process may send two alike at once. */

import type { CallKind } from "../faults/fault.js";

interface Sent {
  readonly who: string;
  readonly call: CallKind;
}

export class InstantCalls {
  /** A few at most. */
  #sent: Sent[] = [];
  #atMs = 0;

  sent(atMs: number, who: string, call: CallKind): void {
    if (atMs !== this.#atMs) {
      this.#atMs = atMs;
      this.#sent = [];
    }
    this.#sent.push({ who, call });
  }

  /** Before the one that is sent now. */
  others(who: string, call: CallKind): number {
    const alike = this.#sent.filter((sent) => sent.who === who && sent.call === call);
    return Math.max(alike.length - 1, 0);
  }
}
