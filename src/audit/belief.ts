/**
 * I2: no two candidates believe at one instant.
 *
 * Judged on the deadlines that were written down, so a process that was killed or
 * frozen believes until its deadline; and on each `checked` line, so a belief that
 * its own deadlines do not explain is held against the others too. A term that went
 * on for too long is told once, with the first term that it ran into.
 */

import type { Scene } from "./scene.js";
import { inMs, Stories, when, who } from "./story.js";
import { believesAt, type BeliefTerm, type Check, evidence, type Track } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

export interface Overlap {
  readonly earlier: BeliefTerm;
  readonly later: BeliefTerm;
  readonly ns: bigint;
}

export function judgeBelief(scene: Scene): Judgement {
  const stories = new Stories();
  for (const overlap of overlapsOf(scene.terms)) {
    const { process, instance, token } = overlap.earlier;
    stories.tell(["overlap", process, instance, token], () => describeOverlap(scene, overlap));
  }
  for (const { tracks } of scene.candidacies) {
    for (const track of tracks) judgeStrays(scene, track, stories);
  }
  return { judged: scene.terms.length + scene.kinds.checked.length, violations: stories.all() };
}

/** Checks outside of their own deadlines. Inside of them the pair of terms says it all. */
function judgeStrays(scene: Scene, { token, term, checks }: Track, stories: Stories): void {
  for (const check of checks) {
    if (term !== undefined && believesAt(term, check.ns)) continue;
    const { process, instance } = check.line;
    const other = scene.terms.find((led) => !sameCandidate(led, check.line) && believesAt(led, check.ns));
    if (other === undefined) continue;
    stories.tell(["stray", process, instance, token], () => describeStray(scene, check, other));
  }
}

/** Every pair of terms of different candidates that share an instant. `terms` are in order of their beginning. */
export function overlapsOf(terms: readonly BeliefTerm[]): readonly Overlap[] {
  const overlaps: Overlap[] = [];
  let open: BeliefTerm[] = [];
  for (const later of terms) {
    if (later.untilAt <= later.fromAt) continue;
    open = open.filter((earlier) => earlier.untilAt > later.fromAt);
    for (const earlier of open) {
      if (sameCandidate(earlier, later)) continue;
      const end = earlier.untilAt < later.untilAt ? earlier.untilAt : later.untilAt;
      overlaps.push({ earlier, later, ns: end - later.fromAt });
    }
    open.push(later);
  }
  return overlaps;
}

type Believer = Pick<BeliefTerm, "process" | "instance">;

/** Two terms of one candidate in one process are the business of I6. */
function sameCandidate(a: Believer, b: Believer): boolean {
  return a.process === b.process && a.instance === b.instance;
}

function describeOverlap(scene: Scene, { earlier, later, ns }: Overlap): Violation {
  const message =
    `${who(later)} was elected at ${when(scene, later.fromNs)} while ${who(earlier)} believed until ` +
    `${when(scene, earlier.untilNs)}: both led for ${inMs(Number(ns))} ms`;
  return { invariant: "I2", message, lines: [...evidence(earlier), ...evidence(later)] };
}

function describeStray(scene: Scene, { ns, line }: Check, other: BeliefTerm): Violation {
  const message = `at ${when(scene, ns)} a check of ${who(line)} passed while ${who(other)} led`;
  return { invariant: "I2", message, lines: [line, ...evidence(other)] };
}
