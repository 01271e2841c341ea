/**
 * The verdict: a pure function of the evidence.
 *
 * Three opinions have to agree: the audit of the histories, the sequence of records
 * that the store kept, and the bounds that the election prints.
 */

import { audit, type AuditResult, judgeRecords, type RecordsResult, scenesOf } from "../../audit/index.js";
import { boundsOf, type Plan } from "./bounds.js";
import type { Evidence } from "./evidence.js";
import { type FaultKind, faultKinds, silenceFault } from "./fault-kinds.js";
import { missingRecords, unbelieved } from "./leases.js";
import { measure, type Outcome } from "./measure.js";

export interface FaultRow {
  readonly fault: FaultKind;
  readonly boundMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
  /** Longest time without a leader by the store's records. */
  readonly leaderlessMs: number;
  readonly overlapMs: number;
  readonly marginMs: number;
  readonly ok: boolean;
  readonly rounds: readonly Outcome[];
}

export interface Verdict {
  readonly schema: "tenure.demo/1";
  readonly verdict: "OK" | "FAIL";
  /** Why it failed; empty for OK. */
  readonly reasons: readonly string[];
  /** What was seen and breaks no promise. */
  readonly notes: readonly string[];
  readonly plan: Plan | undefined;
  readonly faults: readonly FaultRow[];
  readonly audit: AuditResult | undefined;
  readonly records: RecordsResult | undefined;
}

/** What these runs always give the audit to look at; silence of any of them would be no pass. */
const neededChecks: ReadonlySet<string> = new Set(["I1", "I2", "I5", "I6", "I7"]);

export function judge(evidence: Evidence): Verdict {
  const { plan, lines, kept } = evidence;
  const audited = audit(lines, { ttlMs: plan.ttlMs });
  const records = judgeRecords(kept.map(({ body, modifiedMs }) => ({ record: body, mtimeMs: modifiedMs })));
  const [scene] = scenesOf(lines);
  const measured =
    scene === undefined ? { outcomes: [], reasons: ["no history"] } : measure(scene, kept, plan);
  const faults = faultKinds.map((fault) => rowOf(fault, plan, measured.outcomes));
  const findings = [...evidence.findings, ...audited.findings];
  // A process that is killed while it writes leaves a torn line; that is what it was killed for.
  const damage = findings.filter(({ kind }) => kind !== "torn");
  const silent = audited.checks.filter(
    ({ invariant, judged }) => judged === 0 && neededChecks.has(invariant),
  );
  const reasons = [
    ...audited.violations.map(({ invariant, message }) => `${invariant}: ${message}`),
    ...records.violations.map((message) => `store: ${message}`),
    ...missingRecords(evidence),
    ...measured.reasons,
    ...damage.map(({ message }) => message),
    ...silent.map(({ invariant, promise }) => `${invariant} (${promise}) had nothing to judge`),
    ...faults.flatMap((row) => complaints(row, plan)),
  ];
  const { terms, takeovers, successions } = audited.counts;
  const notes = [
    ...findings.filter(({ kind }) => kind === "torn").map(({ message }) => message),
    `${terms} terms: ${takeovers} takeovers, ${successions} after a release`,
    ...unbelieved(evidence),
    ...silencesOf(evidence, measured.outcomes),
  ];
  const verdict = reasons.length === 0 ? "OK" : "FAIL";
  return { schema: "tenure.demo/1", verdict, reasons, notes, plan, faults, audit: audited, records };
}

/** A run that broke off cannot be judged, and that is no pass. */
export function failedRun(reason: string, plan: Plan | undefined): Verdict {
  return {
    schema: "tenure.demo/1",
    verdict: "FAIL",
    reasons: [reason],
    notes: [],
    plan,
    faults: [],
    audit: undefined,
    records: undefined,
  };
}

function rowOf(fault: FaultKind, plan: Plan, outcomes: readonly Outcome[]): FaultRow {
  const rounds = outcomes.filter((outcome) => outcome.fault === fault);
  const boundMs = boundsOf(plan)[fault];
  const takeovers = rounds.map(({ takeoverMs }) => takeoverMs).toSorted((a, b) => a - b);
  const maxMs = takeovers.at(-1) ?? 0;
  const leaderlessMs = Math.max(0, ...rounds.map((round) => round.leaderlessMs ?? 0));
  const overlapMs = Math.max(0, ...rounds.map((round) => round.overlapMs));
  const within = rounds.every(isInTime) && overlapMs <= plan.budget.overlapMs;
  return {
    fault,
    boundMs,
    medianMs: median(takeovers),
    maxMs,
    leaderlessMs,
    overlapMs,
    marginMs: rounds.length === 0 ? 0 : Math.min(...rounds.map(({ marginMs }) => marginMs)),
    ok: within && rounds.length === plan.rounds,
    rounds,
  };
}

function isInTime({ takeoverMs, leaderlessMs = 0, boundMs }: Outcome): boolean {
  return Math.max(takeoverMs, leaderlessMs) <= boundMs;
}

function median(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper;
  return (lower + upper) / 2;
}

function complaints(row: FaultRow, { rounds, budget }: Plan): readonly string[] {
  const { fault, overlapMs } = row;
  const late = row.rounds.filter((round) => !isInTime(round));
  return [
    ...(row.rounds.length === rounds
      ? []
      : [`${fault}: ${row.rounds.length} of ${rounds} rounds can be judged`]),
    ...late.map(describeLate),
    ...(overlapMs > budget.overlapMs ? [`${fault}: two candidates believed for ${overlapMs} ms`] : []),
  ];
}

function describeLate({ fault, victim, takeoverMs, leaderlessMs = 0, boundMs, silences }: Outcome): string {
  const times = `${Math.round(takeoverMs)} ms (${Math.round(leaderlessMs)} ms by the store's records)`;
  return `${fault} of ${victim}: the next leader came after ${times}, the bound is ${boundMs} ms with ${silences} calls unanswered`;
}

/** Not the election's doing, but what its bounds assume not to happen. */
function silencesOf({ lines, plan }: Evidence, outcomes: readonly Outcome[]): readonly string[] {
  const count = lines.filter((line) => line.event === "fault" && line.fault === silenceFault).length;
  const kept = outcomes.filter(({ fault, released }) => fault === "stop" && !released).length;
  const slow = `the store left ${count} calls unanswered in time; each adds ${plan.silenceMs} ms to its round's bound`;
  const ran = `${kept} leaders could not give their lease back, it ran out`;
  return [...(count > 0 ? [slow] : []), ...(kept > 0 ? [ran] : [])];
}
