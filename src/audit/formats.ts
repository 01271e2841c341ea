/**
 * I10: a record that could not be read, or is of a newer format, is never written over.
 *
 * Three kinds of evidence: a harness that saw it written over; a resource that accepts something although its row
 * cannot be read; and an election that goes on. A deadline that is written more than a ttl after the record became
 * unreadable, and that is still to come, belongs to a write that was sent after that, since no belief lasts longer.
 */

import { type LineOf, type Moment, nsIn } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import { isDeadline } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

type Look = Moment<LineOf<"store">>;

export function judgeFormats(scene: Scene, ttlMs: number | undefined): Judgement {
  const { stored } = scene.kinds;
  if (stored.length === 0) return { judged: 0, violations: [] };
  const violations = [...stretchesOf(stored)].flatMap((stretch) => {
    const found = seen(scene, stretch) ?? accepted(scene, stretch) ?? goesOn(scene, stretch, ttlMs);
    return found ?? [];
  });
  return { judged: stored.length, violations };
}

/** As long as one record, of the election or of a resource, could not be read. */
interface Stretch {
  /** Undefined where only its end was seen. */
  readonly foreign: Look | undefined;
  readonly overwritten: Look | undefined;
  readonly resource: string | undefined;
  readonly endNs: number;
}

function* stretchesOf(looks: readonly Look[]): Generator<Stretch> {
  const open = new Map<string | undefined, Look>();
  for (const look of looks) {
    const { resource, body } = look.line;
    const foreign = open.get(resource);
    if (body === "unreadable" || body === "newer") {
      if (foreign === undefined) open.set(resource, look);
      continue;
    }
    open.delete(resource);
    const overwritten = body === "overwritten" ? look : undefined;
    if (foreign !== undefined || overwritten !== undefined) {
      yield { foreign, overwritten, resource, endNs: look.ns };
    }
  }
  for (const [resource, foreign] of open) {
    yield { foreign, overwritten: undefined, resource, endNs: Number.POSITIVE_INFINITY };
  }
}

function seen(scene: Scene, { foreign, overwritten, resource }: Stretch): Violation | undefined {
  if (overwritten === undefined) return undefined;
  const { ns, line } = overwritten;
  const body = foreign?.line.body ?? "unreadable or newer";
  const since = foreign === undefined ? "" : ` at ${when(scene, foreign.ns)}`;
  const message =
    `${recordOf(line.election, resource)} was written over at ${when(scene, ns)}, although it was ${body}${since}: ` +
    "what cannot be read stays as it is";
  return { invariant: "I10", message, lines: foreign === undefined ? [line] : [foreign.line, line] };
}

/** A resource decides by its row. */
function accepted(scene: Scene, { foreign, resource, endNs }: Stretch): Violation | undefined {
  if (foreign === undefined || resource === undefined) return undefined;
  const decision = scene.kinds.decided.find(
    ({ ns, line }) => line.resource === resource && ns > foreign.ns && ns < endNs,
  );
  if (decision === undefined) return undefined;
  const what = decision.line.event === "claimed" ? "a claim" : (decision.line.opId ?? "a write");
  const message =
    `"${resource}" accepted ${what} of ${who(decision.line)} at ${when(scene, decision.ns)}, although its row was ` +
    `${foreign.line.body} at ${when(scene, foreign.ns)}: what cannot be read decides nothing`;
  return { invariant: "I10", message, lines: [foreign.line, decision.line] };
}

function goesOn(
  scene: Scene,
  { foreign, resource, endNs }: Stretch,
  ttlMs: number | undefined,
): Violation | undefined {
  if (foreign === undefined || resource !== undefined || ttlMs === undefined) return undefined;
  const overNs = foreign.ns + nsIn(ttlMs);
  const deadline = scene.kinds.told
    .filter(isDeadline)
    .find(({ ns, untilNs }) => ns > overNs && ns < endNs && untilNs > ns);
  if (deadline === undefined) return undefined;
  const message =
    `${who(deadline.line)} was ${deadline.line.event} at ${when(scene, deadline.ns)}, ` +
    `${inMs(deadline.ns - foreign.ns)} ms after the record of "${foreign.line.election}" was ${foreign.line.body}: ` +
    "that lease was written over it";
  return { invariant: "I10", message, lines: [foreign.line, deadline.line] };
}

function recordOf(election: string, resource: string | undefined): string {
  return resource === undefined ? `the record of "${election}"` : `the row of "${resource}"`;
}
