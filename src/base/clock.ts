/**
 * The clock port: three clocks and one kind of timer, all as arguments.
 *
 * `monotonic` never steps but may stand still while the machine sleeps;
 * `boot` counts sleep as well; `wall` may step either way and is used for
 * labels, token seeds and as a hint, never for safety. A simulated twin with
 * the same interface (`virtual-clock.ts`) may bend each of them alone.
 */

export interface Clock {
  /** Smallest step of each clock, ms. Readings are trusted no further than this. */
  readonly resolution: { readonly monotonicMs: number; readonly bootMs: number; readonly wallMs: number };
  /** One value per boot of the machine; stamps of two processes compare only within one. */
  readonly bootId: string;
  monotonicMs(): number;
  /** A fresh reading of time since boot, sleep included; one origin for all processes. Costs microseconds. */
  bootMs(): number;
  wallMs(): number;
  /** The monotonic clock in nanoseconds with one origin for all processes of a boot, for history stamps. */
  hrtimeNs(): bigint;
  /**
   * Calls back once, not before `delayMs` on the monotonic clock and possibly much later.
   * Keeps the process alive until then, unless `keepsAlive` is false. Delays above 2^31-1 ms are cut to that: callers
   * look at the clock when called and set the timer again.
   */
  setTimer(delayMs: number, callback: () => void, keepsAlive?: boolean): Timer;
}

export interface Timer {
  cancel(): void;
}

/** The longest delay that timers can hold; above it Node fires after 1 ms. */
const longestTimerMs = 2_147_483_647;

export function clampDelay(delayMs: number): number {
  return Math.min(Math.max(Math.ceil(delayMs), 0), longestTimerMs);
}
