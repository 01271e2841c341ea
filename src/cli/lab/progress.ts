/** How far a series is, on the side of the output that is for people: one line, drawn over itself on a terminal. */

import type { Clock, Timer } from "../../base/clock.js";
import type { Terminal } from "../terminal.js";
import type { Tally } from "./tally.js";

interface Watched {
  readonly tally: Tally;
  /** Undefined: as many as fit into the time. */
  readonly seedCount: number | undefined;
  readonly clock: Clock;
  readonly cpuSeconds: () => number;
}

const redrawMs = 500;
const lineMs = 5_000;

export class Progress {
  readonly #watched: Watched;
  readonly #terminal: Terminal;
  readonly #startedMs: number;
  #timer: Timer | undefined;

  constructor(watched: Watched, terminal: Terminal) {
    this.#watched = watched;
    this.#terminal = terminal;
    this.#startedMs = watched.clock.monotonicMs();
    this.#wait();
  }

  end(): void {
    this.#timer?.cancel();
    this.#terminal.redraw?.("");
  }

  #wait(): void {
    const { redraw, err } = this.#terminal;
    this.#timer = this.#watched.clock.setTimer(redraw === undefined ? lineMs : redrawMs, () => {
      if (redraw === undefined) err(`tenure: ${this.#line()}`);
      else redraw(this.#line());
      this.#wait();
    });
  }

  #line(): string {
    const { tally, seedCount, clock, cpuSeconds } = this.#watched;
    const { seeds, simulatedDays, violations, faultKinds } = tally;
    const perSecond = (seeds * 1_000) / Math.max(1, clock.monotonicMs() - this.#startedMs);
    const perCpuSecond = simulatedDays / Math.max(0.001, cpuSeconds());
    return [
      `${seeds}${seedCount === undefined ? "" : ` of ${seedCount}`} seeds`,
      `${perSecond.toFixed(1)} seeds/s`,
      `${simulatedDays.toFixed(2)} simulated days, ${perCpuSecond.toFixed(4)} per CPU second`,
      violations.length === 1 ? "1 violation" : `${violations.length} violations`,
      `faults: ${faultKinds.map(([kind, count]) => `${kind} ${count}`).join(", ") || "none"}`,
    ].join("; ");
  }
}
