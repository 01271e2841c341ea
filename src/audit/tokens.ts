/**
 * I1: tokens are unique in an election, and rise in the order in which terms began.
 *
 * Uniqueness is judged across boots; the order only within one, since nothing says
 * which of two boots' instants came first.
 */

import { groupBy } from "./moment.js";
import type { Scene } from "./scene.js";
import { Stories, when, who } from "./story.js";
import { type BeliefTerm, evidence } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

/** All scenes of one election. */
export function judgeTokens(scenes: readonly Scene[]): Judgement {
  const terms = scenes.flatMap((scene) => scene.terms.map((term) => ({ scene, term })));
  const stories = new Stories();
  for (const [token, [first, ...others]] of groupBy(terms, ({ term }) => term.token)) {
    if (first === undefined) continue;
    for (const other of others) stories.tell([token], () => twice(first.scene, first.term, other.term));
  }
  return { judged: terms.length, violations: [...stories.all(), ...scenes.flatMap(judgeOrder)] };
}

function judgeOrder(scene: Scene): readonly Violation[] {
  const violations: Violation[] = [];
  let last: BeliefTerm | undefined;
  for (const term of scene.terms) {
    // Terms that began in one instant have no order; equal tokens are reported as such.
    const fell = last !== undefined && term.fromNs > last.fromNs && term.token < last.token;
    if (fell && last !== undefined) violations.push(fallen(scene, last, term));
    // From there it is judged anew: one token out of order is one story.
    if (last === undefined || fell || term.token > last.token) last = term;
  }
  return violations;
}

function twice({ election }: Scene, first: BeliefTerm, other: BeliefTerm): Violation {
  const message = `two terms of "${election}" have one token: ${who(first)} and ${who(other)}; each must have its own`;
  return { invariant: "I1", message, lines: [...evidence(first), ...evidence(other)] };
}

function fallen(scene: Scene, before: BeliefTerm, after: BeliefTerm): Violation {
  const message =
    `${who(after)} was elected at ${when(scene, after.fromNs)}, after ${who(before)} at ` +
    `${when(scene, before.fromNs)}, with a lower token: tokens must rise`;
  return { invariant: "I1", message, lines: [...evidence(before), ...evidence(after)] };
}
