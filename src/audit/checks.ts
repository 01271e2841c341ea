/**
 * I5: no `check()` passes at or after the deadline, or after the loss, of its term.
 *
 * A witness stamps its line before it asks. So a line at or after the deadline is
 * proof, also when the process was stopped between the stamp and the check. Of each
 * term the first such check is told.
 */

import type { HistoryLine } from "../history/line.js";
import type { LineOf, Moment } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, Stories, when, who } from "./story.js";
import { type Check, type Deadline, isDeadline, isLost, type Track } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

type Loss = Moment<LineOf<"lost">>;

export function judgeChecks(scene: Scene): Judgement {
  const stories = new Stories();
  for (const { process, instance, tracks } of scene.candidacies) {
    for (const track of tracks) {
      const lost = track.told.find(isLost);
      const cause = [process, instance, track.token];
      eachCheck(track, (check, deadline) => {
        if (deadline === undefined) stories.tell(cause, () => unbegun(scene, check));
        else if (check.ns >= deadline.untilNs) stories.tell(cause, () => late(scene, check, deadline));
        // In the very instant of the loss either may have come first.
        else if (lost !== undefined && check.ns > lost.ns) {
          stories.tell(cause, () => afterLoss(scene, check, lost));
        }
      });
    }
  }
  return { judged: scene.kinds.checked.length, violations: stories.all() };
}

/** Each check with the deadline in force: the last one written until then. */
export function eachCheck(
  { told, checks }: Track,
  visit: (check: Check, deadline: Deadline | undefined) => void,
): void {
  let next = 0;
  let deadline: Deadline | undefined;
  for (const check of checks) {
    for (let moment = told[next]; moment !== undefined && moment.ns <= check.ns; moment = told[next]) {
      if (isDeadline(moment)) deadline = moment;
      next += 1;
    }
    visit(check, deadline);
  }
}

function unbegun(scene: Scene, check: Check): Violation {
  return violation(scene, check, ", but no line says that this term had begun");
}

function late(scene: Scene, check: Check, { untilNs, line }: Deadline): Violation {
  const why = `, ${inMs(check.ns - untilNs)} ms after its deadline: from there on it must fail`;
  return violation(scene, check, why, line);
}

function afterLoss(scene: Scene, check: Check, { ns, line }: Loss): Violation {
  const why = `, ${inMs(check.ns - ns)} ms after its loss (${line.reason}): a term that is lost stays lost`;
  return violation(scene, check, why, line);
}

function violation(scene: Scene, { ns, line }: Check, why: string, other?: HistoryLine): Violation {
  const message = `a check of ${who(line)} passed at ${when(scene, ns)}${why}`;
  return { invariant: "I5", message, lines: other === undefined ? [line] : [line, other] };
}
