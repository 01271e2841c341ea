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

import { type LineOf, type Moment, nsIn } from "./moment.js";
import type { Scene } from "./scene.js";
import { inMs, Stories, when, who } from "./story.js";
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
  const terms = new Map<number, BeliefTerm>();
  for (const term of scene.terms) if (!terms.has(term.token)) terms.set(term.token, term);
  const sights = new Map<string, Sights>();
  let judged = 0;
  const stories = new Stories();
  for (const sight of scene.kinds.observed) {
    const { process, node, token } = sight.line;
    const term = terms.get(token);
    const endNs = term && standsUntil(term);
    if (term === undefined || endNs === undefined || sight.ns <= endNs) continue;
    judged += 1;
    const observer = JSON.stringify([process, node, token]);
    const before = sights.get(observer) ?? { lastNs: endNs, pauseNs: 0 };
    const pauseNs = Math.max(before.pauseNs, sight.ns - before.lastNs);
    sights.set(observer, { lastNs: sight.ns, pauseNs });
    if (sight.ns - endNs <= nsIn(ttlMs) + pauseNs) continue;
    stories.tell([token], () => ghost(scene, term, { sight, endNs, pauseNs, ttlMs }));
  }
  return { judged, violations: stories.all() };
}

/** What an observer has seen of a lease that nobody stands for any more. */
interface Sights {
  readonly lastNs: number;
  /** The longest time in which it did not look. */
  readonly pauseNs: number;
}

/** Undefined when nobody can tell: the process may have renewed its drain until it was killed. */
function standsUntil({ untilNs, lost, released }: BeliefTerm): number | undefined {
  if (lost === undefined || involuntary.has(lost.line.reason)) return untilNs;
  return released?.ns;
}

interface Ghost {
  readonly sight: Moment<LineOf<"observed">>;
  readonly endNs: number;
  readonly pauseNs: number;
  readonly ttlMs: number;
}

function ghost(scene: Scene, term: BeliefTerm, { sight, endNs, pauseNs, ttlMs }: Ghost): Violation {
  const { ns, line } = sight;
  const message =
    `${line.node} still named ${who(term)} as leader at ${when(scene, ns)}, ${inMs(ns - endNs)} ms after ` +
    `its belief had ended, having looked at least every ${inMs(pauseNs)} ms: a lease of ${ttlMs} ms was renewed for nobody`;
  return { invariant: "I8", message, lines: [line] };
}
