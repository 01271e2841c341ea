/** Hands on what comes in any order in the order in which it was asked for. */

import type { SeedReport } from "./messages.js";

export class InOrder {
  readonly #onReport: (report: SeedReport) => void;
  readonly #waiting = new Map<number, SeedReport>();
  #asked: number[] = [];

  constructor(onReport: (report: SeedReport) => void) {
    this.#onReport = onReport;
  }

  ask(seed: number): void {
    this.#asked.push(seed);
  }

  came(report: SeedReport): void {
    this.#waiting.set(report.seed, report);
    while (this.#asked[0] !== undefined && this.#hand(this.#asked[0])) this.#asked.shift();
  }

  /** What is still waited for does not come any more. */
  end(): void {
    for (const seed of this.#asked) this.#hand(seed);
    this.#asked = [];
  }

  #hand(seed: number): boolean {
    const report = this.#waiting.get(seed);
    if (report === undefined) return false;
    this.#waiting.delete(seed);
    this.#onReport(report);
    return true;
  }
}
