/** Sums over the seeds of a series: what was broken, what was admitted, how much there was to judge. */

import { type Counts, Power, weaknesses } from "../../lab/judge/power.js";
import { floorsOf } from "../../lab/profiles.js";
import type { Series } from "../../lab/series.js";
import type { SeedReport } from "../../lab/workers/messages.js";

/** Fewer seeds than this show nothing by their counts. */
export const fewestForPower = 100;
/** What floors are made for; shorter runs are asked for a part of them. */
const floorMs = 120_000;

export class Tally {
  readonly #power = new Power();
  readonly violations: SeedReport[] = [];
  readonly admissions: { readonly seed: number; readonly story: string }[] = [];
  seeds = 0;
  simulatedMs = 0;
  faults = 0;

  add(report: SeedReport): void {
    this.seeds += 1;
    this.simulatedMs += report.simulatedMs;
    this.faults += report.faultCount;
    this.#power.add(report.counts);
    for (const story of report.admitted) this.admissions.push({ seed: report.seed, story });
    if (report.broken.length > 0) this.violations.push(report);
  }

  get counts(): Counts {
    return this.#power.counts;
  }

  get simulatedDays(): number {
    return this.simulatedMs / 86_400_000;
  }

  /** Floors that were not reached, in words. */
  weak(series: Series): readonly string[] {
    if (this.seeds < fewestForPower) return [];
    return weaknesses(this.counts, this.floors(series), this.seeds);
  }

  /** Per hundred seeds. */
  floors({ profile, faultyMs }: Series): Counts {
    const share = Math.min(1, faultyMs / floorMs);
    const whole = Object.entries(floorsOf(profile));
    return Object.fromEntries(whole.map(([name, floor]) => [name, Number((floor * share).toFixed(2))]));
  }

  /** The commonest first. */
  get faultKinds(): readonly (readonly [kind: string, count: number])[] {
    return Object.entries(this.counts)
      .flatMap(([name, count]) => (name.startsWith("fault-") ? [[name.slice(6), count] as const] : []))
      .toSorted(([, a], [, b]) => b - a);
  }
}
