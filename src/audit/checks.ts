/**
 * I5: no `check()` passes at or after the deadline, or after the loss, of its term.
 *
 * A witness stamps its line before it asks. So a line at or after the deadline is
 * proof, also when the process was stopped between the stamp and the check.
 */

import { groupBy, type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import { termKey } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

type Check = Moment<LineOf<"checked">>;

export function judgeChecks(scene: Scene): Judgement {
  const checks = select(scene.moments, "checked");
  const telling = select(scene.moments, "elected", "extended", "lost");
  const byTerm = groupBy(telling, ({ line }) => termKey(line));
  const violations = checks.flatMap((check) => {
    const wrong = judgeCheck(scene, check, byTerm.get(termKey(check.line)) ?? []);
    return wrong === undefined ? [] : [wrong];
  });
  return { judged: checks.length, violations };
}

type Telling = Moment<LineOf<"elected" | "extended" | "lost">>;

function judgeCheck(scene: Scene, check: Check, telling: readonly Telling[]): Violation | undefined {
  const story = `a check of ${who(check.line)} passed at ${when(scene, check.at)}`;
  const deadline = deadlineAt(telling, check.at);
  if (deadline === undefined) {
    return violation(`${story}, but no line says that this term had begun`, check);
  }
  const untilAt = BigInt(deadline.until);
  if (check.at >= untilAt) {
    return violation(`${story}, ${inMs(check.at - untilAt)} ms after its deadline`, check, deadline);
  }
  // In the very instant of the loss either may have come first.
  const lost = select(telling, "lost").find(({ at }) => at < check.at);
  if (lost === undefined) return undefined;
  return violation(
    `${story}, ${inMs(check.at - lost.at)} ms after its loss (${lost.line.reason})`,
    check,
    lost.line,
  );
}

/** The deadline in force at that instant: the last one written until then. */
export function deadlineAt(
  telling: readonly Moment[],
  at: bigint,
): LineOf<"elected" | "extended"> | undefined {
  return select(telling, "elected", "extended").findLast((moment) => moment.at <= at)?.line;
}

function violation(message: string, check: Check, other?: Telling["line"]): Violation {
  return { invariant: "I5", message, lines: other === undefined ? [check.line] : [check.line, other] };
}
