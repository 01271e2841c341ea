/**
 * When whoever disturbs a world acts: at whole milliseconds, and before all else that happens then.
 *
 * So what a run did can be done to it again: an act that is known by its millisecond finds the world as it was. Acts
 * of one millisecond come in the order in which they were planned, and nothing settles between them.
 */

import type { VirtualWorld } from "../../base/virtual-clock.js";

interface Plan {
  readonly atMs: number;
  readonly act: () => void;
}

export class Plans {
  readonly #time: VirtualWorld;
  #plans: Plan[] = [];

  constructor(time: VirtualWorld) {
    this.#time = time;
  }

  /** Never within the millisecond that is now: what made somebody plan it must have happened. */
  after(ms: number, act: () => void): void {
    const { nowMs } = this.#time;
    this.at(Math.max(Math.ceil(nowMs + ms), Math.floor(nowMs) + 1), act);
  }

  at(atMs: number, act: () => void): void {
    this.#plans.push({ atMs, act });
    this.#time.foremost(atMs, () => this.#actUntil(this.#time.nowMs));
  }

  /** All that is still planned happens now. */
  flush(): void {
    while (this.#plans.length > 0) this.#actUntil(Number.POSITIVE_INFINITY);
  }

  #actUntil(untilMs: number): void {
    const due = this.#plans.filter(({ atMs }) => atMs <= untilMs);
    if (due.length === 0) return;
    this.#plans = this.#plans.filter(({ atMs }) => atMs > untilMs);
    for (const { act } of due.toSorted((a, b) => a.atMs - b.atMs)) act();
  }
}
