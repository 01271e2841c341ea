/** Sums over the seeds of a series: what was broken, what was admitted, how much there was to judge. */

import { foreignPower } from "../../lab/judge/floors.js";
import { type Counts, Power, weaknesses } from "../../lab/judge/power.js";
import { floorsOf } from "../../lab/profiles.js";
import type { Series } from "../../lab/series.js";
import type { SeedReport } from "../../lab/workers/messages.js";

/** Fewer runs than this show nothing by their counts. */
const fewestForPower = 100;
/** What floors are made for: shorter runs count for less, and are asked for less. */
const floorMs = 120_000;

/** From how much on power is judged, in words. */
export const powerCondition: string = `${fewestForPower} seeds of ${floorMs / 1_000} s, or as much in shorter runs`;

function shareOf({ faultyMs }: Series): number {
  return Math.min(1, faultyMs / floorMs);
}

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

  /** Whether there was enough for its counts to show anything. */
  isJudgedByPower(series: Series): boolean {
    return this.seeds * shareOf(series) >= fewestForPower;
  }

  /** Floors that were not reached, in words. */
  weak(series: Series): readonly string[] {
    return this.isJudgedByPower(series) ? weaknesses(this.counts, this.floors(series), this.seeds) : [];
  }

  /** Per hundred seeds. */
  floors(series: Series): Counts {
    const { profile, parts } = series;
    const whole = Object.values(parts).some((file) => file !== undefined) ? foreignPower : floorsOf(profile);
    const part = (floor: number) => Number((floor * shareOf(series)).toFixed(4));
    return Object.fromEntries(Object.entries(whole).map(([name, floor]) => [name, part(floor)]));
  }

  /** The commonest first. */
  get faultKinds(): readonly (readonly [kind: string, count: number])[] {
    return Object.entries(this.counts)
      .flatMap(([name, count]) => (name.startsWith("fault-") ? [[name.slice(6), count] as const] : []))
      .toSorted(([, a], [, b]) => b - a);
  }
}
