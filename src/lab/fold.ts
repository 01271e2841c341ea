/**
 * Routine told together: between two things of note, what the same party does again and again is one line.
 *
 * Nothing moves across a thing of note, so what is told before it happened before it.
 */

import type { Told } from "./sentence.js";

export interface Folded {
  readonly atMs: number;
  readonly party: string;
  readonly text: string;
  readonly sign: Told["sign"];
}

export function fold(told: readonly Told[]): readonly Folded[] {
  const folded: Folded[] = [];
  let groups = new Map<string, Told[]>();
  const flush = (): void => {
    for (const group of groups.values()) folded.push(together(group));
    groups = new Map();
  };
  for (const one of told) {
    if (one.routine === undefined) {
      flush();
      folded.push(one);
      continue;
    }
    const group = groups.get(one.routine.key);
    if (group === undefined) groups.set(one.routine.key, [one]);
    else group.push(one);
  }
  flush();
  return folded;
}

/** At the instant of the first, in the words of the last. */
function together(group: readonly Told[]): Folded {
  const [first] = group;
  const last = group.at(-1);
  if (first === undefined || last?.routine === undefined)
    throw new Error("a group of routine is never empty");
  if (group.length === 1) return first;
  const [before, after] = last.routine.many;
  const { atMs, party, sign } = first;
  return { atMs, party, sign, text: `${before}${group.length}${after}` };
}
