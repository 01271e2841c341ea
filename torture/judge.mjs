/**
 * The verdict: read from what the run left on disk, and from nothing else.
 *
 * Three opinions have to agree: the workload's on what its resource holds, the audit's on the histories
 * of all processes, and that enough pauses landed between check and write for the run to have shown
 * anything. Which form ran makes no difference to it.
 */

import { audit } from "../dist/audit/index.js";
import { readEvidence } from "./evidence.mjs";
import { judgeOthers } from "./others.mjs";
import { judgePauses } from "./pauses.mjs";
import { workloads } from "./workloads.mjs";

/**
 * @typedef {object} Verdict
 * @property {"tenure.torture/1"} schema
 * @property {"OK" | "FAIL"} verdict
 * @property {readonly string[]} reasons why it failed, losses left out; empty for OK
 * @property {readonly string[]} losses each acknowledged write that is gone
 * @property {readonly string[]} notes what was seen and breaks no promise
 * @property {import("./places.mjs").Plan} plan
 * @property {readonly (readonly [what: string, count: string])[]} rows of the table
 * @property {{ readonly landed: number, readonly needed: number, readonly overtaken: number, readonly refused: number,
 *   readonly accepted: number, readonly shortestMs: number, readonly stops: number, readonly kills: number }} pauses
 * @property {import("../dist/audit/index.js").AuditResult} audit
 */

/** What every run gives the audit to look at; silence of any of them would be no pass. */
const neededChecks = new Set(["I1", "I2", "I3", "I4", "I5", "I6", "I9"]);

/**
 * @param {string} root directory of the run
 * @returns {Promise<Verdict>}
 */
export async function judgeRun(root) {
  const evidence = readEvidence(root);
  const { plan, lines } = evidence;
  const { judge, faults, appliers } = workloads[plan.workload];
  const work = await judge(plan.form, evidence.resource, evidence);
  const judged = judgePauses(evidence);
  const { landed, stops, kills, reasons } = judged;
  const others = judgeOthers(evidence, judged, faults, appliers?.name);
  const audited = audit(lines, { ttlMs: plan.ttlMs });
  const findings = [...evidence.findings, ...audited.findings];
  const silent = audited.checks.filter(
    ({ invariant, judged }) => judged === 0 && neededChecks.has(invariant),
  );
  const overtaken = landed.filter((pause) => pause.overtaken);
  const failed = overtaken.flatMap(({ write }) => (write.outcome === "failed" ? [write] : []));
  // Whoever stands still inside of a transaction holds locks, and what waits for them gives up, or is ended by a server,
  // before anybody looks at the claim. Nothing is applied.
  const locks = faults.includes("inside") || faults.includes("applierStop");
  const gaveUp = (/** @type {(typeof failed)[number]} */ { code }) => locks && code === "GUARD_FAILED";
  const outcomes = (/** @type {string} */ wanted) =>
    overtaken.filter(({ write }) => write.outcome === wanted).length;
  const pauses = {
    landed: landed.length,
    needed: plan.neededPauses,
    overtaken: overtaken.length,
    refused: outcomes("refused"),
    accepted: outcomes("acknowledged"),
    shortestMs: landed.length === 0 ? 0 : Math.round(Math.min(...landed.map(({ lastedMs }) => lastedMs))),
    stops,
    kills,
  };
  const all = [
    ...work.reasons,
    ...reasons,
    ...(pauses.landed < pauses.needed
      ? [`${pauses.landed} pauses landed between check and write; fewer than ${pauses.needed} show nothing`]
      : []),
    ...(pauses.accepted > 0
      ? [`${pauses.accepted} writes were accepted of leaders that had been replaced`]
      : []),
    ...failed.filter((write) => !gaveUp(write)).map(describeFailure),
    ...others.reasons,
    ...audited.violations.map(({ invariant, message }) => `${invariant}: ${message}`),
    // A process that is killed while it writes leaves a torn line; that is what it was killed for.
    ...findings.filter(({ kind }) => kind !== "torn").map(({ message }) => message),
    ...silent.map(({ invariant, promise }) => `${invariant} (${promise}) had nothing to judge`),
  ];
  return {
    schema: "tenure.torture/1",
    verdict: all.length + work.losses.length === 0 ? "OK" : "FAIL",
    reasons: all,
    losses: work.losses,
    notes: [
      ...findings.filter(({ kind }) => kind === "torn").map(({ message }) => message),
      ...failed.filter(gaveUp).map(describeFailure),
    ],
    plan,
    rows: [...work.rows, ...rowsOf(pauses, others.rows, audited)],
    pauses,
    audit: audited,
  };
}

/**
 * Nothing was applied, but not for the reason that is promised.
 *
 * @param {import("./work-line.mjs").Write} write
 */
function describeFailure({ element, node, code, why }) {
  const said = why === undefined ? "" : `: ${why}`;
  return `the late write ${element} of ${node} was not refused as stale, it failed with ${code}${said}`;
}

/**
 * @param {Verdict["pauses"]} pauses
 * @param {Verdict["rows"]} others
 * @param {import("../dist/audit/index.js").AuditResult} audited
 * @returns {Verdict["rows"]}
 */
function rowsOf(pauses, others, { counts }) {
  const { landed, needed, overtaken, refused, accepted, shortestMs, stops, kills } = pauses;
  return [
    ["pauses between check and write", `${landed}, needed ${needed}`],
    ["  the shortest", `${shortestMs} ms`],
    ["  another leader wrote meanwhile", String(overtaken)],
    ["  and the late write was refused", String(refused)],
    ["  and the late write was accepted", String(accepted)],
    ...others,
    ["other pauses", String(stops)],
    ["kills", String(kills)],
    ["terms", `${counts.terms}, of ${counts.processes - 1} processes`],
  ];
}
