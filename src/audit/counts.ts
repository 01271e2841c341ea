/** The power of a history: how much of what can go wrong was there to be judged. */

import type { Kinds } from "./moment.js";
import type { Scene } from "./scene.js";
import { eachCheck } from "./checks.js";

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
  const sum = (count: (scene: Scene) => number) => scenes.reduce((total, scene) => total + count(scene), 0);
  const told = countEvents(scenes, "told");
  const decided = countEvents(scenes, "decided");
  const terms = sum((scene) => scene.terms.length);
  const takeovers = sum(takeoversOf);
  const elections = scenes.filter((scene) => scene.terms.length > 0).length;
  return {
    lines: sum(({ moments }) => moments.length),
    processes: processesOf(scenes),
    boots: new Set(scenes.map(({ boot }) => boot)).size,
    terms,
    takeovers,
    successions: terms - takeovers - elections,
    extended: told("extended"),
    uncertain: told("uncertain"),
    confirmed: told("confirmed"),
    lost: told("lost"),
    lostLate: sum(
      ({ kinds }) => kinds.told.filter(({ line }) => line.event === "lost" && line.lateByMs > 0).length,
    ),
    released: told("released"),
    checked: sum(({ kinds }) => kinds.checked.length),
    checkedLate: sum(lateChecksOf),
    observed: sum(({ kinds }) => kinds.observed.length),
    claimed: decided("claimed"),
    applied: decided("applied"),
    refused: sum(({ kinds }) => kinds.refused.length),
    faults: sum(({ kinds }) => kinds.faults.length),
  };
}

/** How often each event of a kind of lines was told. */
function countEvents(scenes: readonly Scene[], kind: keyof Kinds): (event: string) => number {
  const counts = new Map<string, number>();
  for (const { kinds } of scenes) {
    for (const { line } of kinds[kind]) counts.set(line.event, (counts.get(line.event) ?? 0) + 1);
  }
  return (event) => counts.get(event) ?? 0;
}

function processesOf(scenes: readonly Scene[]): number {
  const processes = new Set<string>();
  let last = "";
  for (const { moments } of scenes) {
    for (const { line } of moments) if (line.process !== last) processes.add((last = line.process));
  }
  return processes.size;
}

function takeoversOf({ terms }: Scene): number {
  return terms.filter((_, index) => {
    const before = terms[index - 1];
    if (before === undefined) return false;
    // The line may come after the next election: others see a release before its writer hears of it.
    return before.released?.line.outcome !== "released";
  }).length;
}

function lateChecksOf({ candidacies }: Scene): number {
  let late = 0;
  for (const { tracks } of candidacies) {
    for (const track of tracks) {
      eachCheck(track, ({ ns }, deadline) => {
        if (deadline === undefined) return;
        const leftNs = deadline.untilNs - ns;
        if (leftNs > 0 && leftNs * 20 <= deadline.untilNs - deadline.ns) late += 1;
      });
    }
  }
  return late;
}
