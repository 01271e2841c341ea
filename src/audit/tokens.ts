/**
 * I1: tokens are unique in an election, and rise in the order in which terms began.
 *
 * Uniqueness is judged across boots; the order only within one, since nothing says
 * which of two boots' instants came first.
 */

import { groupBy } from "./moment.js";
import type { Scene } from "./scene.js";
import { when, who } from "./story.js";
import { type BeliefTerm, evidence } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

/** All scenes of one election. */
export function judgeTokens(scenes: readonly Scene[]): Judgement {
  const terms = scenes.flatMap((scene) => scene.terms.map((term) => ({ scene, term })));
  const violations: Violation[] = [];
  for (const group of groupBy(terms, ({ term }) => String(term.token)).values()) {
    const [first, ...others] = group;
    if (first === undefined) continue;
    for (const other of others) violations.push(twice(first.scene, first.term, other.term));
  }
  for (const scene of scenes) violations.push(...judgeOrder(scene));
  return { judged: terms.length, violations };
}

function judgeOrder(scene: Scene): readonly Violation[] {
  const violations: Violation[] = [];
  let highest: BeliefTerm | undefined;
  for (const term of scene.terms) {
    // Terms that began in one instant have no order; equal tokens are reported as such.
    if (highest !== undefined && term.fromAt > highest.fromAt && term.token < highest.token) {
      violations.push(fell(scene, highest, term));
    }
    if (highest === undefined || term.token > highest.token) highest = term;
  }
  return violations;
}

function twice(scene: Scene, first: BeliefTerm, other: BeliefTerm): Violation {
  const message = `two terms of "${scene.election}" have one token: ${who(first)} and ${who(other)}`;
  return { invariant: "I1", message, lines: [...evidence(first), ...evidence(other)] };
}

function fell(scene: Scene, before: BeliefTerm, after: BeliefTerm): Violation {
  const message =
    `${who(after)} was elected at ${when(scene, after.fromAt)}, after ${who(before)} at ` +
    `${when(scene, before.fromAt)}, with a lower token`;
  return { invariant: "I1", message, lines: [...evidence(before), ...evidence(after)] };
}
