/**
 * I3, I4 and I9: what guarded resources let through.
 *
 * Guard lines are written in the order in which the resource decided, by the resource
 * or right after its answer; a line that was held back would look like a stale write.
 */

import { groupBy, type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { when, who } from "./story.js";
import type { Judgement, Violation } from "./verdict.js";

type Decision = Moment<LineOf<"claimed" | "applied">>;

/** The decisions of one resource, in order. */
interface Resource {
  readonly scene: Scene;
  readonly decisions: readonly Decision[];
}

function resourcesOf(scene: Scene): readonly Resource[] {
  const decisions = select(scene.moments, "claimed", "applied");
  return [...groupBy(decisions, ({ line }) => line.resource).values()].map((group) => {
    return { scene, decisions: group };
  });
}

function judgeEach(scene: Scene, judge: (resource: Resource) => Judgement): Judgement {
  const judgements = resourcesOf(scene).map(judge);
  return {
    judged: judgements.reduce((sum, { judged }) => sum + judged, 0),
    violations: judgements.flatMap(({ violations }) => violations),
  };
}

/** I3: after a claim nothing with a lower token is claimed or applied, and nothing is applied without a claim. */
export function judgeStale(scene: Scene): Judgement {
  return judgeEach(scene, ({ decisions }) => {
    const violations: Violation[] = [];
    let highest: Decision | undefined;
    for (const decision of decisions) {
      const { at, line } = decision;
      if (highest !== undefined && at > highest.at && line.token < highest.line.token) {
        const claim = `${who(highest.line)} had claimed it at ${when(scene, highest.at)}`;
        violations.push(violation("I3", scene, decision, `after ${claim}`, highest));
      } else if (line.event === "applied" && !decisions.some((claim) => covers(claim, decision))) {
        violations.push(violation("I3", scene, decision, "without a claim of its own before"));
      }
      if (line.event === "claimed" && line.token > (highest?.line.token ?? 0)) highest = decision;
    }
    return { judged: decisions.length, violations };
  });
}

function covers(claim: Decision, write: Decision): boolean {
  const { event, instance, token } = claim.line;
  return (
    event === "claimed" &&
    instance === write.line.instance &&
    token === write.line.token &&
    claim.at <= write.at
  );
}

/** I4: one owner per token; applied tokens never fall; a number stands for one operation; numbers rise where asked. */
export function judgeNumbers(scene: Scene, order: "any" | "strict"): Judgement {
  return judgeEach(scene, ({ decisions }) => {
    const violations: Violation[] = [];
    const owners = new Map<number, Decision>();
    const numbers = new Map<string, Decision>();
    let last: Decision | undefined;
    for (const decision of decisions) {
      const { token, instance, event, seq, opId } = decision.line;
      const owner = owners.get(token);
      if (owner === undefined) owners.set(token, decision);
      else if (owner.line.instance !== instance) {
        violations.push(violation("I4", scene, decision, `under the token of ${who(owner.line)}`, owner));
      }
      if (event !== "applied") continue;
      const number = seq === undefined ? undefined : `${token}/${seq}`;
      const same = number === undefined ? undefined : numbers.get(number);
      if (number !== undefined && same === undefined) numbers.set(number, decision);
      if (same !== undefined && same.line.opId !== opId) {
        violations.push(violation("I4", scene, decision, `as number ${seq}, which was another's`, same));
      } else if (last !== undefined && !rises(last, decision, order)) {
        violations.push(violation("I4", scene, decision, `after ${numberOf(last)}`, last));
      }
      last = decision;
    }
    return { judged: decisions.length, violations };
  });
}

function rises(before: Decision, after: Decision, order: "any" | "strict"): boolean {
  // Stale writes behind a claim are I3's; here the applied writes alone are compared.
  if (after.line.token !== before.line.token) return after.line.token > before.line.token;
  const repeated = after.line.opId !== undefined && after.line.opId === before.line.opId;
  if (order === "any" || repeated) return true;
  return (after.line.seq ?? 0) > (before.line.seq ?? 0);
}

/** I9: every accepted write was issued once, so none is applied twice, under whatever number. */
export function judgeRepeats(scene: Scene): Judgement {
  return judgeEach(scene, ({ decisions }) => {
    const violations: Violation[] = [];
    const writes = select(decisions, "applied");
    const first = new Map<string, Decision>();
    for (const write of writes) {
      const { opId, token, seq } = write.line;
      if (opId === undefined && seq === undefined) continue;
      const key = opId === undefined ? `number ${token}/${seq}` : `operation ${opId}`;
      const before = first.get(key);
      if (before === undefined) first.set(key, write);
      else
        violations.push(
          violation("I9", scene, write, `although it was applied as ${numberOf(before)}`, before),
        );
    }
    return { judged: writes.length, violations };
  });
}

function numberOf({ line }: Decision): string {
  return `number ${line.seq ?? "?"} of token ${line.token}`;
}

function violation(
  invariant: "I3" | "I4" | "I9",
  scene: Scene,
  { at, line }: Decision,
  why: string,
  other?: Decision,
): Violation {
  const did = line.event === "claimed" ? "a claim" : `${line.opId ?? "a write"} (number ${line.seq ?? "?"})`;
  const message = `"${line.resource}" accepted ${did} of ${who(line)} at ${when(scene, at)}, ${why}`;
  return { invariant, message, lines: other === undefined ? [line] : [other.line, line] };
}
