/**
 * How much of what can go wrong was there: counted over all seeds, with floors, so that the lab cannot go quiet.
 */

export type Counts = Readonly<Record<string, number>>;

export class Power {
  readonly #counts = new Map<string, number>();

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  add(counts: Counts): void {
    for (const [name, by] of Object.entries(counts)) this.count(name, by);
  }

  /** In alphabetical order, so that two runs print alike. */
  get counts(): Counts {
    return Object.fromEntries([...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * At least so many per hundred seeds; what stays below is said in words. Of so few seeds that less than one is due,
 * nothing is asked: none is then a matter of luck.
 */
export function weaknesses(counts: Counts, floors: Counts, seedCount: number): readonly string[] {
  return Object.entries(floors)
    .filter(([name, floor]) => {
      const due = (floor * seedCount) / 100;
      return due >= 1 && (counts[name] ?? 0) < due;
    })
    .map(
      ([name, floor]) => `${name}: ${counts[name] ?? 0} in ${seedCount} seeds, floor ${floor} per hundred`,
    );
}
