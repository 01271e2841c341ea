/**
 * The evidence of a run that went well, made by hand: each fault once, with the store's records beside the
 * histories. Tests bend one fact of it at a time. Between the fourth term and the fifth nobody leads, so that
 * the fourth can be moved.
 */

import type { Evidence } from "../../src/cli/demo/evidence.js";
import type { HistoryEvent, HistoryLine } from "../../src/history/line.js";
import type { LeaseRecord, LeaseState } from "../../src/lease/record.js";
import type { KeptVersion } from "../../src/stores/file/kept-versions.js";
import { opIdOf, shelfOf, workOf } from "./work-specimen.js";

const beliefMs = 1_333;

export interface TermTold {
  readonly node: string;
  readonly process: string;
  readonly instance: string;
  readonly token: number;
  readonly electedMs: number;
  readonly renewedMs: number;
  /** Milliseconds added to the deadline that the renewal wrote down. */
  readonly overMs?: number;
}

export const terms: readonly TermTold[] = [
  { node: "alpha", process: "1-a", instance: "i-1", token: 101, electedMs: 1_000, renewedMs: 1_300 },
  { node: "beta", process: "2-b", instance: "i-2", token: 102, electedMs: 3_400, renewedMs: 3_700 },
  { node: "gamma", process: "3-c", instance: "i-3", token: 103, electedMs: 5_800, renewedMs: 6_100 },
  { node: "beta", process: "2-b", instance: "i-4", token: 104, electedMs: 6_250, renewedMs: 6_600 },
  { node: "alpha", process: "4-a", instance: "i-5", token: 105, electedMs: 12_000, renewedMs: 12_300 },
  { node: "beta", process: "2-b", instance: "i-6", token: 106, electedMs: 14_400, renewedMs: 14_700 },
  { node: "gamma", process: "5-c", instance: "i-7", token: 107, electedMs: 15_045, renewedMs: 15_300 },
];
/** Places in that list of the leaders that were frozen, that were blocked, and that handed over. */
const frozen = 1;
export const blocked = 4;
export const handing = 5;

export function ns(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

export function line(ms: number, node: string, process: string, event: HistoryEvent): HistoryLine {
  const stamp = { v: 1, boot: "boot-1", at: ns(ms), wall: 1_700_000_000_000 + Math.floor(ms), process, node };
  return { ...stamp, namespace: "default", election: "demo", ...event };
}

export function harness(ms: number, event: HistoryEvent): HistoryLine {
  return line(ms, "harness", "0-h", event);
}

function linesOf({
  node,
  process,
  electedMs,
  renewedMs,
  overMs = 0,
  ...term
}: TermTold): readonly HistoryLine[] {
  const { instance, token } = term;
  const write = (ms: number, event: HistoryEvent) => line(ms, node, process, event);
  const until = (sentMs: number) => ns(sentMs + beliefMs);
  const opId = opIdOf({ node, ...term });
  const guarded = (["ledger", "journal"] as const).flatMap((resource) => [
    write(electedMs + 1, { event: "claimed", resource, instance, token }),
    write(electedMs + 4, { event: "applied", resource, instance, token, opId }),
  ]);
  return [
    write(electedMs, { event: "elected", instance, token, until: until(electedMs - 5) }),
    write(electedMs + 10, { event: "checked", instance, token }),
    write(renewedMs, { event: "extended", instance, token, until: until(renewedMs - 5 + overMs) }),
    write(renewedMs + 5, { event: "checked", instance, token }),
    ...guarded,
  ];
}

function stored(
  { node, instance, token }: TermTold,
  seq: number,
  ms: number,
  state: LeaseState,
  more: Partial<LeaseRecord> = {},
): KeptVersion {
  const body: LeaseRecord = {
    v: 1,
    instance,
    writer: instance,
    nonce: `${instance}-${seq}-${more.writer ?? state}`,
    token,
    seq,
    ttlMs: 2_000,
    state,
    expiry: "observed",
    node,
    electedAt: 1_700_000_000_000,
    metadata: {},
    ...more,
  };
  return { number: 0, body, modifiedMs: 1_700_000_000_000 + ms };
}

const nobody: TermTold = { node: "", process: "", instance: "", token: 0, electedMs: 0, renewedMs: 0 };

function ended({ node, process, instance, token }: TermTold, ms: number, reason: string, lateByMs = 0) {
  return line(ms, node, process, { event: "lost", instance, token, reason, lateByMs });
}

function released({ node, process, instance, token }: TermTold, ms: number) {
  return line(ms, node, process, { event: "released", instance, token, outcome: "released" });
}

/** A fault that the harness did, with its demand for a leader. */
function did(ms: number, fault: string): readonly HistoryLine[] {
  const demand = harness(ms + 1, { event: "leader-by", withinMs: 3_291 });
  return [harness(ms, { event: "fault", fault }), demand];
}

/** The records of one term: take and renewal, and what came after in some of them. */
function recordsOf(told: readonly TermTold[], term: TermTold): readonly KeptVersion[] {
  const place = told.indexOf(term);
  const request = { id: "r-1", verb: "transfer", by: "beta" } as const;
  const follows = place === handing + 1 ? { follows: request.id } : {};
  const own = [
    stored(term, 1, term.electedMs - 3, "held", follows),
    stored(term, 2, term.renewedMs - 3, "held", follows),
  ];
  if (place === 2) return [...own, stored(term, 3, 6_210, "released")];
  if (place !== handing) return own;
  const bidder = told[handing + 1] ?? nobody;
  const bid = { instance: bidder.instance, node: bidder.node, requestId: request.id };
  return [
    ...own,
    stored(term, 3, 15_005, "held", { request }),
    stored(term, 3, 15_015, "held", { request, bid, writer: bidder.instance }),
    stored(term, 4, 15_030, "offered", { request, bid, offeredTo: bidder.instance }),
  ];
}

export function evidenceOf(told: readonly TermTold[] = terms): Evidence {
  const at = (place: number) => told[place] ?? nobody;
  const faults = [
    ...did(1_350, "kill alpha"),
    ...did(3_750, "freeze beta"),
    harness(5_900, { event: "fault", fault: "thaw beta" }),
    ended(at(1), 5_902, "deadline", 870),
    ...did(6_200, "stop gamma"),
    ended(at(2), 6_202, "stopped"),
    released(at(2), 6_220),
    ...did(12_350, "block alpha"),
    harness(14_900, { event: "fault", fault: "unblock alpha" }),
    ended(at(blocked), 14_901, "deadline", 1_273),
    ...did(15_000, "transfer beta"),
    ended(at(handing), 15_020, "transferred"),
    released(at(handing), 15_035),
  ];
  const kept = told.flatMap((term) => recordsOf(told, term));
  const budget = {
    overlapMs: 0,
    leaderlessMs: 2_373,
    stuckWorkMs: 3_373,
    stopMs: beliefMs,
    shutdownMs: 1_000,
  };
  return {
    plan: {
      schema: "tenure.demo-plan/1",
      elector: "tenure",
      rounds: 1,
      site: { kind: "directory", namespace: "default", url: null },
      startedAt: ns(0),
      ttlMs: 2_000,
      handoverMs: 932,
      allowanceMs: 250,
      silenceMs: 334,
      budget: { ...budget, assumptions: [] },
    },
    lines: [...told.flatMap(linesOf), ...faults],
    findings: [],
    work: workOf(told, [frozen, blocked]),
    shelf: shelfOf(told),
    kept: kept.map((version, index) => ({ ...version, number: index + 1 })),
    sequence: { gaps: [], notes: [] },
  };
}
