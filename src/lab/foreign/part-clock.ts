/**
 * The clock that a foreign part is handed: the one of its machine, with an account of the timers that it set.
 *
 * What a callback throws or rejects with is told as the part's failure; time goes on.
 */

import type { Clock, Timer } from "../../base/clock.js";
import type { VirtualClock } from "../../base/virtual-clock.js";

export class PartClock implements Clock {
  readonly resolution: Clock["resolution"];
  readonly bootId: string;
  readonly #clock: VirtualClock;
  readonly #failed: (cause: unknown) => void;
  readonly #pending = new Set<object>();
  #timerCount = 0;

  constructor(clock: VirtualClock, failed: (cause: unknown) => void) {
    this.#clock = clock;
    this.#failed = failed;
    this.resolution = clock.resolution;
    this.bootId = clock.bootId;
  }

  /** Timers that were set and have neither fired nor been cancelled. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /** Timers that were ever set. */
  get timerCount(): number {
    return this.#timerCount;
  }

  // Of no `this`: a part may take them apart.
  readonly monotonicMs = (): number => this.#clock.monotonicMs();

  readonly bootMs = (): number => this.#clock.bootMs();

  readonly wallMs = (): number => this.#clock.wallMs();

  readonly hrtimeNs = (): bigint => this.#clock.hrtimeNs();

  readonly setTimer = (delayMs: number, callback: () => unknown): Timer => {
    if (!Number.isFinite(delayMs))
      throw new RangeError(`a timer needs a delay in ms, got ${String(delayMs)}`);
    const mark = {};
    this.#pending.add(mark);
    this.#timerCount += 1;
    const timer = this.#clock.setTimer(delayMs, () => {
      this.#pending.delete(mark);
      this.#call(callback);
    });
    return {
      cancel: () => {
        this.#pending.delete(mark);
        timer.cancel();
      },
    };
  };

  #call(callback: () => unknown): void {
    try {
      const answer = callback();
      if (answer instanceof Promise) answer.catch(this.#failed);
    } catch (cause) {
      this.#failed(cause);
    }
  }
}
