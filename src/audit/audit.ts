/**
 * Judges a history: the invariants I1 to I10, over any number of processes.
 *
 * Promise: rests on the lines alone, in whatever order; says for each invariant how
 * much it looked at, and what could not be compared. Non-promise: it judges what was
 * written down. Must know nothing of how elections work inside.
 */

import type { HistoryLine } from "../history/line.js";
import { judgeBelief } from "./belief.js";
import { judgeChecks } from "./checks.js";
import { type Counts, countsOf } from "./counts.js";
import { judgeFormats } from "./formats.js";
import { judgeGhosts } from "./ghosts.js";
import { judgeNumbers, judgeRepeats, judgeStale } from "./guards.js";
import { judgeLiveness } from "./liveness.js";
import { groupBy } from "./moment.js";
import { judgeOrder } from "./order.js";
import { type Resource, resourcesOf } from "./resources.js";
import { type Scene, scenesOf } from "./scene.js";
import { judgeTokens } from "./tokens.js";
import type { Check, Finding, Invariant, Judgement, Violation } from "./verdict.js";

export interface AuditOptions {
  /** The ttl of the leases, ms. Without it I8 has nothing to go by, and I10 less. */
  readonly ttlMs?: number;
  /** Whether guards were asked to apply numbers in order. Default "any", as a guard's own default. */
  readonly guardOrder?: "any" | "strict";
}

export interface AuditResult {
  readonly violations: readonly Violation[];
  readonly findings: readonly Finding[];
  /** One for each invariant, also where it had nothing to look at. */
  readonly checks: readonly Check[];
  readonly counts: Counts;
}

interface Checker {
  readonly invariant: Invariant;
  readonly promise: string;
  readonly judge: (election: Election, options: AuditOptions) => Judgement;
}

/** One election on all its boots. */
interface Election {
  readonly scenes: readonly Scene[];
  readonly resources: readonly Resource[];
}

const checkers: readonly Checker[] = [
  { invariant: "I1", promise: "tokens are unique and rise", judge: ({ scenes }) => judgeTokens(scenes) },
  { invariant: "I2", promise: "no two candidates believe at once", judge: each(judgeBelief) },
  {
    invariant: "I3",
    promise: "nothing below a claim is accepted",
    judge: ({ resources }) => judgeStale(resources),
  },
  {
    invariant: "I4",
    promise: "one owner per token, numbers in order",
    judge: ({ resources }, { guardOrder = "any" }) => judgeNumbers(resources, guardOrder),
  },
  { invariant: "I5", promise: "no check passes after the deadline", judge: each(judgeChecks) },
  { invariant: "I6", promise: "events come in order, observers never go back", judge: each(judgeOrder) },
  { invariant: "I7", promise: "one leader within the bound", judge: each(judgeLiveness) },
  {
    invariant: "I8",
    promise: "no lease outlives its holder's belief by more than its ttl",
    judge: each((scene, { ttlMs }) => judgeGhosts(scene, ttlMs)),
  },
  {
    invariant: "I9",
    promise: "no write is applied twice",
    judge: ({ resources }) => judgeRepeats(resources),
  },
  {
    invariant: "I10",
    promise: "a record that cannot be read is never written over",
    judge: each((scene, { ttlMs }) => judgeFormats(scene, ttlMs)),
  },
];

export function audit(lines: readonly HistoryLine[], options: AuditOptions = {}): AuditResult {
  return auditScenes(scenesOf(lines), options);
}

/** As `audit`, for whoever needs the scenes as well. */
export function auditScenes(scenes: readonly Scene[], options: AuditOptions = {}): AuditResult {
  const groups = groupBy(scenes, ({ namespace, election }) => JSON.stringify([namespace, election]));
  const elections = [...groups.values()].map((group) => ({ scenes: group, resources: resourcesOf(group) }));
  const violations: Violation[] = [];
  const checks = checkers.map(({ invariant, promise, judge }): Check => {
    const judgements = elections.map((election) => judge(election, options));
    violations.push(...judgements.flatMap((judgement) => judgement.violations));
    return { invariant, promise, judged: judgements.reduce((sum, { judged }) => sum + judged, 0) };
  });
  const findings = elections.flatMap(severalBoots);
  return { violations, findings, checks, counts: countsOf(scenes) };
}

function each(judge: (scene: Scene, options: AuditOptions) => Judgement): Checker["judge"] {
  return ({ scenes }, options) => {
    const judgements = scenes.map((scene) => judge(scene, options));
    return {
      judged: judgements.reduce((sum, { judged }) => sum + judged, 0),
      violations: judgements.flatMap(({ violations }) => violations),
    };
  };
}

function severalBoots({ scenes }: Election): readonly Finding[] {
  const [first] = scenes;
  if (first === undefined || scenes.length === 1) return [];
  const boots = scenes.map(({ boot, terms }) => `${terms.length} terms on ${boot}`).join(", ");
  const message =
    `"${first.election}" in "${first.namespace}" ran on ${scenes.length} boots (${boots}): ` +
    "their instants do not compare, so belief and order were judged within each boot only";
  return [{ kind: "several-boots", message }];
}
