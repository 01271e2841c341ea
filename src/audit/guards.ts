/**
 * I3, I4 and I9: what guarded resources let through.
 *
 * Guard lines are written in the order in which the resource decided, by the resource
 * or right after its answer; a line that was held back would look like a stale write.
 * A repeated answer to a write that was applied before (`duplicate`) applies nothing.
 * Which writes are one operation, and whose a token is, is judged across boots.
 */

import { Claims, type GuardDecision, type Resource } from "./resources.js";
import type { Scene } from "./scene.js";
import { Stories, when, who } from "./story.js";
import type { Judgement, Violation } from "./verdict.js";

/** I3: after a claim nothing with a lower token is claimed or applied, and nothing is applied without a claim. */
export function judgeStale(resources: readonly Resource[]): Judgement {
  return judgeEach(resources, ({ resource, boots }, stories) => {
    for (const { scene, decisions } of boots) {
      const claims = new Claims();
      for (const decision of decisions) {
        const { event, token, instance } = decision.line;
        const higher = claims.above(decision);
        if (higher !== undefined) {
          const claim = `${who(higher.line)} had claimed it at ${when(scene, higher.ns)}`;
          const why = `after ${claim}: a claim shuts out lower tokens`;
          stories.tell([resource, token, instance], () => violation("I3", scene, decision, why, higher));
        } else if (event === "applied" && !claims.covers(decision)) {
          const why = "without a claim of its own before: only who has claimed may write";
          stories.tell([resource, token, instance], () => violation("I3", scene, decision, why));
        }
        if (event === "claimed") claims.add(decision);
      }
    }
    return decisionsOf(boots);
  });
}

/** I4: one owner per token; applied tokens never fall; a number stands for one operation; numbers rise where asked. */
export function judgeNumbers(resources: readonly Resource[], order: "any" | "strict"): Judgement {
  return judgeEach(resources, ({ resource, boots }, stories) => {
    const owners = new Map<number, GuardDecision>();
    const numbers = new Numbers();
    for (const { scene, decisions } of boots) {
      const claims = new Claims();
      let last: GuardDecision | undefined;
      for (const decision of decisions) {
        const { event, token, instance } = decision.line;
        const owner = owners.get(token);
        if (owner === undefined) owners.set(token, decision);
        let wrong = ofAnother(owner, decision);
        if (event === "claimed") claims.add(decision);
        else {
          const same = numbers.note(decision);
          // What a claim shuts out is told as I3, and what is applied again as I9.
          const isTold = same !== undefined || claims.above(decision) !== undefined;
          wrong ??= reused(same, decision) ?? (isTold ? undefined : falling(last, decision, order));
          last = decision;
        }
        if (wrong === undefined) continue;
        const { why, other } = wrong;
        stories.tell([resource, token, instance], () => violation("I4", scene, decision, why, other));
      }
    }
    return decisionsOf(boots);
  });
}

interface Wrong {
  readonly why: string;
  readonly other: GuardDecision;
}

function ofAnother(owner: GuardDecision | undefined, { line }: GuardDecision): Wrong | undefined {
  if (owner === undefined || owner.line.instance === line.instance) return undefined;
  return { why: `under the token of ${who(owner.line)}: a token has one owner`, other: owner };
}

function reused(same: GuardDecision | undefined, { line }: GuardDecision): Wrong | undefined {
  if (same === undefined || same.line.opId === line.opId) return undefined;
  const why = `as number ${line.seq}, which was another's (${same.line.opId}): a number stands for one write`;
  return { why, other: same };
}

function falling(
  before: GuardDecision | undefined,
  { line }: GuardDecision,
  order: "any" | "strict",
): Wrong | undefined {
  if (before === undefined) return undefined;
  const { token, opId, seq = 0 } = before.line;
  const isAgain = line.opId !== undefined && line.opId === opId;
  const isNext = order === "any" || isAgain || (line.seq ?? 0) > seq;
  if (line.token > token || (line.token === token && isNext)) return undefined;
  return { why: `after ${numberOf(before)}: what is applied must rise`, other: before };
}

/** I9: every accepted write was issued once, so none is applied twice, under whatever number. */
export function judgeRepeats(resources: readonly Resource[]): Judgement {
  return judgeEach(resources, ({ resource, boots }, stories) => {
    const operations = new Map<string, GuardDecision>();
    const numbers = new Numbers();
    let judged = 0;
    for (const { scene, decisions } of boots) {
      for (const decision of decisions) {
        const { event, opId, token, instance } = decision.line;
        if (event === "claimed") continue;
        judged += 1;
        const before = opId === undefined ? numbers.note(decision) : operations.get(opId);
        if (before !== undefined) {
          const why = `although it was applied as ${numberOf(before)}: a write is applied once`;
          stories.tell([resource, token, instance], () => violation("I9", scene, decision, why, before));
        } else if (opId !== undefined) operations.set(opId, decision);
      }
    }
    return judged;
  });
}

/** Which write first bore a number of a token. */
class Numbers {
  readonly #first = new Map<number, Map<number, GuardDecision>>();

  /** The write that bore the number of this one before. */
  note(decision: GuardDecision): GuardDecision | undefined {
    const { token, seq } = decision.line;
    if (seq === undefined) return undefined;
    let ofToken = this.#first.get(token);
    if (ofToken === undefined) this.#first.set(token, (ofToken = new Map<number, GuardDecision>()));
    const same = ofToken.get(seq);
    if (same === undefined) ofToken.set(seq, decision);
    return same;
  }
}

/** `judge` answers how much it looked at. */
function judgeEach(
  resources: readonly Resource[],
  judge: (resource: Resource, stories: Stories) => number,
): Judgement {
  const stories = new Stories();
  const judged = resources.reduce((sum, resource) => sum + judge(resource, stories), 0);
  return { judged, violations: stories.all() };
}

function decisionsOf(boots: Resource["boots"]): number {
  return boots.reduce((sum, { decisions }) => sum + decisions.length, 0);
}

function numberOf({ line }: GuardDecision): string {
  return `number ${line.seq ?? "?"} of token ${line.token}`;
}

function violation(
  invariant: "I3" | "I4" | "I9",
  scene: Scene,
  { ns, line }: GuardDecision,
  why: string,
  other?: GuardDecision,
): Violation {
  const did = line.event === "claimed" ? "a claim" : `${line.opId ?? "a write"} (number ${line.seq ?? "?"})`;
  const message = `"${line.resource}" accepted ${did} of ${who(line)} at ${when(scene, ns)}, ${why}`;
  return { invariant, message, lines: other === undefined ? [line] : [other.line, line] };
}
