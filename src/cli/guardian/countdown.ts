/**
 * When a command has to end, and by which signal. No timer and no process in here.
 *
 * Promise: SIGKILL is due before the instant it was told last, whatever else happened;
 * SIGTERM comes before it by the grace. An end that has begun is not taken back: a
 * later deadline only gives it more time, up to the drain.
 */

import { type Instant, later, leftMs } from "./instant.js";

/** What timers and the end of a process may take. */
const leadMs = 50;
/** A suspend shows only when somebody looks at the boot clock. */
const lookMs = 100;
/** SIGKILL is sent again until nothing of the group is left. */
const againMs = 50;

export interface CountdownOptions {
  readonly until: Instant;
  /** From SIGTERM to SIGKILL when the deadline comes near. */
  readonly graceMs: number;
  /** From SIGTERM to SIGKILL otherwise; the deadline goes first. */
  readonly drainMs: number;
  readonly bootResolutionMs: number;
}

export type Phase = "running" | "ending" | "killing";

export class Countdown {
  readonly #options: CountdownOptions;
  #until: Instant;
  #drained: Instant | undefined;
  #phase: Phase = "running";
  #byDeadline = false;

  constructor(options: CountdownOptions) {
    this.#options = options;
    this.#until = options.until;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The deadline came near, and nobody had asked for the end before. */
  get byDeadline(): boolean {
    return this.#byDeadline;
  }

  /** A deadline that was given is never taken back. */
  extend(until: Instant): void {
    if (until.monotonicMs > this.#until.monotonicMs) this.#until = until;
  }

  /** The command has been told to end. */
  end(now: Instant): void {
    if (this.#phase !== "running") return;
    this.#phase = "ending";
    this.#drained = later(now, this.#options.drainMs);
  }

  kill(): void {
    this.#phase = "killing";
  }

  /** The signal that is due now; called again after `nextMs` at the latest. */
  due(now: Instant): "SIGTERM" | "SIGKILL" | undefined {
    if (this.#phase === "running" && this.#leftMs(now) <= this.#options.graceMs) {
      this.#byDeadline = true;
      this.end(now);
      if (this.#endingMs(now) > 0) return "SIGTERM";
    }
    if (this.#phase === "ending" && this.#endingMs(now) <= 0) this.kill();
    return this.#phase === "killing" ? "SIGKILL" : undefined;
  }

  nextMs(now: Instant): number {
    if (this.#phase === "killing") return againMs;
    const dueMs = this.#phase === "running" ? this.#leftMs(now) - this.#options.graceMs : this.#endingMs(now);
    return Math.min(Math.max(dueMs, 0), lookMs);
  }

  #leftMs(now: Instant): number {
    return leftMs(this.#until, now, this.#options.bootResolutionMs) - leadMs;
  }

  #endingMs(now: Instant): number {
    const drained = this.#drained ?? this.#until;
    return Math.min(this.#leftMs(now), leftMs(drained, now, 0));
  }
}
