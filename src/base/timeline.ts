/**
 * Two readings of "how much time has passed" that survive suspend.
 *
 * `upperMs` is never less than what any local clock saw pass, `lowerMs` never more.
 * A claim to something ("my lease still runs") is judged by the upper reading, a
 * claim against somebody ("its lease has run out") by the lower one.
 *
 * Reading boot time costs microseconds, so it is done when wall minus monotonic
 * has moved by more than 20 ms since the last look (a suspend moves it, slewing
 * moves both alike) and whenever `refresh` is called. A hypervisor that stops
 * every clock at once cannot be seen from inside.
 */

import type { Clock } from "./clock.js";

/** Above the jitter of two clock reads one after the other, far below any lease. */
const jumpMs = 20;

const timelines = new WeakMap<Clock, Timeline>();

export class Timeline {
  readonly #clock: Clock;
  readonly #bootOrigin: number;
  #wallOffset: number;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Boot time minus monotonic time when it last moved by more than these clocks can tell. */
  #gapMs = 0;
  #sleptMs = 0;
  #aheadMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#bootOrigin = clock.bootMs() - clock.monotonicMs();
    this.#wallOffset = clock.wallMs() - clock.monotonicMs();
  }

  /** The one of this clock. A machine slept for all of its elections: one look at boot time serves them all. */
  static of(clock: Clock): Timeline {
    const known = timelines.get(clock) ?? new Timeline(clock);
    timelines.set(clock, known);
    return known;
  }

  upperMs(): number {
    return this.#upper(this.#monotonic());
  }

  lowerMs(): number {
    return this.#lower(this.#monotonic());
  }

  /** One instant on both readings, and the wall clock for labels. */
  now(): { readonly upper: number; readonly lower: number; readonly wall: number } {
    // The reading comes first: it may find that the machine slept.
    const wall = this.#clock.wallMs();
    const now = this.#monotonic(wall);
    return { upper: this.#upper(now), lower: this.#lower(now), wall };
  }

  /** Takes a fresh boot-time reading, unless the last one is younger than that clock can tell. */
  refresh(): void {
    const monotonicMs = this.#clock.monotonicMs();
    if (monotonicMs - this.#lookedMs >= this.#clock.resolution.bootMs) this.#look(monotonicMs);
  }

  #upper(now: number): number {
    return now + this.#sleptMs;
  }

  #lower(now: number): number {
    return now - this.#aheadMs;
  }

  #monotonic(wallMs: number = this.#clock.wallMs()): number {
    const monotonicMs = this.#clock.monotonicMs();
    const offset = wallMs - monotonicMs;
    if (Math.abs(offset - this.#wallOffset) > jumpMs) {
      this.#wallOffset = offset;
      this.#look(monotonicMs);
    }
    return monotonicMs;
  }

  #look(monotonicMs: number): void {
    const { bootMs: resolutionMs } = this.#clock.resolution;
    this.#lookedMs = monotonicMs;
    const gap = this.#clock.bootMs() - monotonicMs - this.#bootOrigin;
    const movedMs = gap - this.#gapMs;
    if (Math.abs(movedMs) <= resolutionMs) return;
    // Each move counts by itself: a monotonic clock that once ran ahead must not hide a later sleep. The first one with
    // what readings may be short of, so that the upper reading is never less than what passed, the lower never more.
    this.#gapMs = gap;
    if (movedMs > 0) this.#sleptMs += movedMs + (this.#sleptMs === 0 ? resolutionMs : 0);
    else this.#aheadMs += (this.#aheadMs === 0 ? resolutionMs : 0) - movedMs;
  }
}
