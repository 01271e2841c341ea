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

export interface Timeline {
  upperMs(): number;
  lowerMs(): number;
  /** Takes a fresh boot-time reading now. */
  refresh(): void;
}

export function createTimeline(clock: Clock): Timeline {
  const { bootMs: resolutionMs } = clock.resolution;
  const bootOrigin = clock.bootMs() - clock.monotonicMs();
  let wallOffset = clock.wallMs() - clock.monotonicMs();
  let sleptMs = 0;
  let aheadMs = 0;

  function look(monotonicMs: number): void {
    const gap = clock.bootMs() - monotonicMs - bootOrigin;
    sleptMs = Math.max(sleptMs, gap - resolutionMs);
    aheadMs = Math.max(aheadMs, -gap - resolutionMs);
  }

  function monotonic(): number {
    const monotonicMs = clock.monotonicMs();
    const offset = clock.wallMs() - monotonicMs;
    if (Math.abs(offset - wallOffset) > jumpMs) {
      wallOffset = offset;
      look(monotonicMs);
    }
    return monotonicMs;
  }

  return {
    // The reading comes first: it may find that the machine slept.
    upperMs: () => {
      const now = monotonic();
      return now + sleptMs;
    },
    lowerMs: () => {
      const now = monotonic();
      return now - aheadMs;
    },
    refresh: () => look(clock.monotonicMs()),
  };
}
