/** "Did you mean": the known word that a mistyped one most resembles. */

/** Undefined when none is close: a wrong guess is worse than none. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(word.toLowerCase(), candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const limit = Math.max(1, Math.floor(word.length / 3));
  return best !== undefined && best.distance <= limit ? best.candidate : undefined;
}

export function didYouMean(word: string, known: readonly string[], prefix = ""): string {
  const guess = nearest(word, known);
  return guess === undefined ? "" : `; did you mean ${prefix}${guess}?`;
}

/** Insertions, deletions, replacements, and neighbours exchanged. */
function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const at = (up: number, left: number) => (up === 0 ? row : rows[i - up])?.[j - left] ?? 0;
      let best = Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + same);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) best = Math.min(best, at(2, 2) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
