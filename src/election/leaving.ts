/** A candidate's wish to leave: by its own signal, or because the election stops. */

import { offAbort, onAbort } from "../base/abort.js";
import { Latch } from "../base/latch.js";

export class Leaving {
  readonly left: Latch = new Latch();
  readonly #stopped: Latch;
  readonly #signal: AbortSignal | undefined;
  readonly #leave: () => void;

  constructor(stopped: Latch, signal: AbortSignal | undefined) {
    this.#stopped = stopped;
    this.#signal = signal;
    this.#leave = () => this.left.close();
    stopped.add(this.#leave);
    if (stopped.closed || signal?.aborted === true) this.left.close();
    else if (signal !== undefined) onAbort(signal, this.#leave);
  }

  dispose(): void {
    this.#stopped.remove(this.#leave);
    if (this.#signal !== undefined) offAbort(this.#signal, this.#leave);
  }
}
