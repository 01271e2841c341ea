/** The power of a history: how much of what can go wrong was there to be judged. */

import { deadlineAt } from "./checks.js";
import { groupBy, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { termKey } from "./terms.js";

export interface Counts {
  readonly lines: number;
  readonly processes: number;
  readonly boots: number;
  readonly terms: number;
  /** Terms that began without a release by the candidate before. */
  readonly takeovers: number;
  /** Terms that began after a release. */
  readonly successions: number;
  readonly extended: number;
  readonly uncertain: number;
  readonly confirmed: number;
  readonly lost: number;
  /** Losses that the process noticed after its deadline: it was frozen, or its loop blocked. */
  readonly lostLate: number;
  readonly released: number;
  readonly checked: number;
  /** Checks in the last twentieth of a deadline, where a mistake would show first. */
  readonly checkedLate: number;
  readonly observed: number;
  readonly claimed: number;
  readonly applied: number;
  readonly refused: number;
  readonly faults: number;
}

export function countsOf(scenes: readonly Scene[]): Counts {
  const moments = scenes.flatMap((scene) => scene.moments);
  const of = (event: string) => moments.filter(({ line }) => line.event === event).length;
  const terms = scenes.reduce((sum, scene) => sum + scene.terms.length, 0);
  const takeovers = scenes.reduce((sum, scene) => sum + takeoversOf(scene), 0);
  const elections = scenes.filter((scene) => scene.terms.length > 0).length;
  return {
    lines: moments.length,
    processes: new Set(moments.map(({ line }) => line.process)).size,
    boots: new Set(scenes.map(({ boot }) => boot)).size,
    terms,
    takeovers,
    successions: terms - takeovers - elections,
    extended: of("extended"),
    uncertain: of("uncertain"),
    confirmed: of("confirmed"),
    lost: of("lost"),
    lostLate: select(moments, "lost").filter(({ line }) => line.lateByMs > 0).length,
    released: of("released"),
    checked: of("checked"),
    checkedLate: scenes.reduce((sum, scene) => sum + lateChecksOf(scene), 0),
    observed: of("observed"),
    claimed: of("claimed"),
    applied: of("applied"),
    refused: of("refused"),
    faults: of("fault"),
  };
}

function takeoversOf({ terms }: Scene): number {
  return terms.filter((_, index) => {
    const before = terms[index - 1];
    if (before === undefined) return false;
    // The line may come after the next election: others see a release before its writer hears of it.
    return before.released?.line.outcome !== "released";
  }).length;
}

function lateChecksOf({ moments }: Scene): number {
  const deadlines = groupBy(select(moments, "elected", "extended"), ({ line }) => termKey(line));
  return select(moments, "checked").filter(({ at, line }) => {
    const deadline = deadlineAt(deadlines.get(termKey(line)) ?? [], at);
    if (deadline === undefined) return false;
    const left = BigInt(deadline.until) - at;
    return left > 0n && left * 20n <= BigInt(deadline.until) - BigInt(deadline.at);
  }).length;
}
