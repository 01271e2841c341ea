/**
 * The verdict: a pure function of the evidence.
 *
 * Four opinions have to agree: the audit of the histories, the sequence of records that
 * the store kept, the bounds that the election prints, and what the ledger and the journal
 * hold on disk. Whose candidates ran makes no difference to it.
 */

import { audit, type AuditResult, judgeRecords, type RecordsResult, scenesOf } from "../../audit/index.js";
import type { Plan } from "./bounds.js";
import type { Evidence } from "./evidence.js";
import { faultKinds, silenceFault } from "./fault-kinds.js";
import { brokenHandovers, missingRecords, unbelieved } from "./leases.js";
import { judgeWork, type WorkVerdict } from "./judge-work.js";
import { measure, type Outcome } from "./measure.js";
import { type Overlap, overlapsIn } from "./overlaps.js";
import { complaints, type FaultRow, rowOf } from "./rows.js";

export interface Verdict {
  readonly schema: "tenure.demo/1";
  readonly verdict: "OK" | "FAIL";
  /** Why it failed; empty for OK. */
  readonly reasons: readonly string[];
  /** Each time that two believed at once; empty for OK. */
  readonly overlaps: readonly Overlap[];
  /** What was seen and breaks no promise. */
  readonly notes: readonly string[];
  readonly plan: Plan | undefined;
  readonly faults: readonly FaultRow[];
  readonly audit: AuditResult | undefined;
  readonly records: RecordsResult | undefined;
  /** The writes of the leaders, and what became of them. */
  readonly work: WorkVerdict | undefined;
}

/** What these runs always give the audit to look at; silence of any of them would be no pass. */
const neededChecks: ReadonlySet<string> = new Set(["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I9"]);

export function judge(evidence: Evidence): Verdict {
  const { plan, lines, kept } = evidence;
  const work = judgeWork(plan.elector, evidence.work, evidence.shelf);
  const audited = audit(lines, { ttlMs: plan.ttlMs });
  const records = judgeRecords(kept.map(({ body, modifiedMs }) => ({ record: body, mtimeMs: modifiedMs })));
  const [scene] = scenesOf(lines);
  const measured =
    scene === undefined ? { outcomes: [], reasons: ["no history"] } : measure(scene, kept, plan);
  const faults = faultKinds.map((fault) => rowOf(fault, plan, measured.outcomes, evidence.work));
  const findings = [...evidence.findings, ...audited.findings];
  // A process that is killed while it writes leaves a torn line; that is what it was killed for.
  const damage = findings.filter(({ kind }) => kind !== "torn");
  const silent = audited.checks.filter(
    ({ invariant, judged }) => judged === 0 && neededChecks.has(invariant),
  );
  const reasons = [
    ...faults.flatMap((row) => complaints(row, plan)),
    ...work.reasons,
    ...audited.violations.map(({ invariant, message }) => `${invariant}: ${message}`),
    ...records.violations.map((message) => `store: ${message}`),
    ...evidence.sequence.gaps.map((gap) => `store: ${gap}`),
    ...missingRecords(evidence),
    ...brokenHandovers(evidence),
    ...measured.reasons,
    ...damage.map(({ message }) => message),
    ...silent.map(({ invariant, promise }) => `${invariant} (${promise}) had nothing to judge`),
  ];
  const { terms, takeovers, successions } = audited.counts;
  const notes = [
    ...findings.filter(({ kind }) => kind === "torn").map(({ message }) => message),
    `${terms} terms: ${takeovers} takeovers, ${successions} after a release`,
    ...evidence.sequence.notes,
    ...unbelieved(evidence),
    ...silencesOf(evidence, measured.outcomes),
  ];
  const verdict = reasons.length === 0 ? "OK" : "FAIL";
  const overlaps = scene === undefined ? [] : overlapsIn(scene, BigInt(plan.startedAt));
  return {
    schema: "tenure.demo/1",
    verdict,
    reasons,
    overlaps,
    notes,
    plan,
    faults,
    audit: audited,
    records,
    work,
  };
}

/** A run that broke off cannot be judged, and that is no pass. */
export function failedRun(reason: string, plan: Plan | undefined): Verdict {
  return {
    schema: "tenure.demo/1",
    verdict: "FAIL",
    reasons: [reason],
    overlaps: [],
    notes: [],
    plan,
    faults: [],
    audit: undefined,
    records: undefined,
    work: undefined,
  };
}

/** Not the election's doing, but what its bounds assume not to happen. */
function silencesOf({ lines, plan }: Evidence, outcomes: readonly Outcome[]): readonly string[] {
  const count = lines.filter((line) => line.event === "fault" && line.fault === silenceFault).length;
  const left = outcomes.filter(
    ({ fault, released }) => !released && (fault === "stop" || fault === "transfer"),
  );
  const slow = `the store left ${count} calls unanswered in time; each adds ${plan.silenceMs} ms to its round's bound`;
  const ran = `${left.length} leaders could not give their lease back, it ran out`;
  return [...(count > 0 ? [slow] : []), ...(left.length > 0 ? [ran] : [])];
}
