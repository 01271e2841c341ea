/** How many calls of a kind a sender has sent in this very instant: a process may send two alike at once. */

import type { CallKind } from "../faults/fault.js";
import { type Sender, whoOf } from "./network.js";

interface Sent {
  readonly sender: Sender;
  readonly call: CallKind;
}

export class InstantCalls {
  /** A few at most. */
  readonly #sent: Sent[] = [];
  #atMs = 0;

  sent(atMs: number, sender: Sender, call: CallKind): void {
    if (atMs !== this.#atMs) {
      this.#atMs = atMs;
      this.#sent.length = 0;
    }
    this.#sent.push({ sender, call });
  }

  /** Before the one that is sent now. */
  others(who: string, call: CallKind): number {
    const alike = this.#sent.filter((sent) => sent.call === call && whoOf(sent.sender) === who);
    return Math.max(alike.length - 1, 0);
  }
}
