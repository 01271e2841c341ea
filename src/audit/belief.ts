/**
 * I2: no two candidates believe at one instant.
 *
 * Judged on the deadlines that were written down, so a process that was killed or
 * frozen believes until its deadline; and on each `checked` line, so a belief that
 * its own deadlines do not explain is held against the others too.
 */

import { select } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import { believesAt, type BeliefTerm, evidence, termKey } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

export interface Overlap {
  readonly earlier: BeliefTerm;
  readonly later: BeliefTerm;
  readonly ns: bigint;
}

export function judgeBelief(scene: Scene): Judgement {
  const overlaps = overlapsOf(scene.terms).map((overlap) => describeOverlap(scene, overlap));
  const checks = select(scene.moments, "checked");
  const strays = checks.flatMap((check) => {
    const own = termKey(check.line);
    // Inside its own deadlines the pair of terms says it all.
    if (scene.terms.some((term) => termKey(term) === own && believesAt(term, check.at))) return [];
    return scene.terms
      .filter((term) => !sameCandidate(term, check.line) && believesAt(term, check.at))
      .map((term): Violation => {
        const message = `at ${when(scene, check.at)} a check of ${who(check.line)} passed while ${who(term)} led`;
        return { invariant: "I2", message, lines: [check.line, ...evidence(term)] };
      });
  });
  return { judged: scene.terms.length + checks.length, violations: [...overlaps, ...strays] };
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
    `${who(later)} was elected at ${when(scene, later.fromAt)} while ${who(earlier)} believed until ` +
    `${when(scene, earlier.untilAt)}: both led for ${inMs(ns)} ms`;
  return { invariant: "I2", message, lines: [...evidence(earlier), ...evidence(later)] };
}
