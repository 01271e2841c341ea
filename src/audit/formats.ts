/** I10: a record that could not be read, or is of a newer format, is never written over. */

import { type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { when } from "./story.js";
import type { Judgement, Violation } from "./verdict.js";

export function judgeFormats(scene: Scene): Judgement {
  const moments = select(scene.moments, "store");
  const violations: Violation[] = [];
  let foreign: Moment<LineOf<"store">> | undefined;
  for (const moment of moments) {
    const { at, line } = moment;
    if (line.body !== "overwritten") {
      foreign ??= moment;
    } else if (foreign !== undefined && foreign.at <= at) {
      const message =
        `the record of "${line.election}" was written over at ${when(scene, at)}, ` +
        `although it was ${foreign.line.body} at ${when(scene, foreign.at)}`;
      violations.push({ invariant: "I10", message, lines: [foreign.line, line] });
    }
  }
  return { judged: moments.length, violations };
}
