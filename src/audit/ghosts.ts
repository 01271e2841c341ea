/**
 * I8: no lease stands longer than its ttl after its holder stopped believing.
 *
 * Histories do not show the lease itself, only who observers said leads. An observer
 * that looks every p ms has seen the last renewal p after the belief ended, and drops
 * an unchanged lease a ttl later. So one that names the holder for longer than ttl + p
 * has seen renewals that nobody stood for. Judged only where the ttl is known, on the
 * terms in the history; leases that no term explains are found in the store's own
 * sequence of records (`records.ts`).
 */

import { groupBy, type LineOf, type Moment, select } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, when, who } from "./story.js";
import type { BeliefTerm } from "./terms.js";
import type { Judgement, Violation } from "./verdict.js";

/** Ends after which the lease is no longer renewed. After the others it is, until `released`. */
const involuntary: ReadonlySet<string> = new Set([
  "deadline",
  "superseded",
  "store-lost",
  "duplicate-identity",
]);

export function judgeGhosts(scene: Scene, ttlMs: number | undefined): Judgement {
  if (ttlMs === undefined) return { judged: 0, violations: [] };
  const violations: Violation[] = [];
  let judged = 0;
  const sights = groupBy(select(scene.moments, "observed"), ({ line }) =>
    JSON.stringify([line.process, line.node, line.token]),
  );
  for (const seen of sights.values()) {
    const term = scene.terms.find(({ token }) => token === seen[0]?.line.token);
    const endAt = term && standsUntil(term);
    if (term === undefined || endAt === undefined) continue;
    const after = seen.filter(({ at }) => at > endAt);
    judged += after.length;
    const violation = judgeSights(scene, term, endAt, after, ttlMs);
    if (violation !== undefined) violations.push(violation);
  }
  return { judged, violations };
}

/** Undefined when nobody can tell: the process may have renewed its drain until it was killed. */
function standsUntil({ untilAt, lost, released }: BeliefTerm): bigint | undefined {
  if (lost === undefined || involuntary.has(lost.line.reason)) return untilAt;
  return released?.at;
}

function judgeSights(
  scene: Scene,
  term: BeliefTerm,
  endAt: bigint,
  seen: readonly Moment<LineOf<"observed">>[],
  ttlMs: number,
): Violation | undefined {
  let pause = 0n;
  let before = endAt;
  for (const { at, line } of seen) {
    if (at - before > pause) pause = at - before;
    before = at;
    if (at - endAt <= BigInt(Math.round(ttlMs * 1e6)) + pause) continue;
    const message =
      `${line.node} still named ${who(term)} as leader at ${when(scene, at)}, ${inMs(at - endAt)} ms after ` +
      `its belief had ended, having looked at least every ${inMs(pause)} ms: a lease of ${ttlMs} ms was renewed for nobody`;
    return { invariant: "I8", message, lines: [line] };
  }
  return undefined;
}
