/**
 * The evidence of a run that went well, made by hand: each fault once, with the store's records beside the
 * histories. Tests bend one fact of it at a time.
 */

import type { Evidence } from "../../src/cli/demo/evidence.js";
import type { HistoryEvent, HistoryLine } from "../../src/history/line.js";
import type { LeaseRecord, LeaseState } from "../../src/lease/record.js";
import type { KeptVersion } from "../../src/stores/file/kept-versions.js";

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
];

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
  return [
    write(electedMs, { event: "elected", instance, token, until: until(electedMs - 5) }),
    write(electedMs + 10, { event: "checked", instance, token }),
    write(renewedMs, { event: "extended", instance, token, until: until(renewedMs - 5 + overMs) }),
    write(renewedMs + 5, { event: "checked", instance, token }),
  ];
}

function stored(
  { node, instance, token }: TermTold,
  seq: number,
  ms: number,
  state: LeaseState,
): KeptVersion {
  const body: LeaseRecord = {
    v: 1,
    instance,
    writer: instance,
    nonce: `${instance}-${seq}`,
    token,
    seq,
    ttlMs: 2_000,
    state,
    expiry: "observed",
    node,
    electedAt: 1_700_000_000_000,
    metadata: {},
  };
  return { number: 0, body, modifiedMs: 1_700_000_000_000 + ms };
}

export function evidenceOf(told: readonly TermTold[] = terms): Evidence {
  const third = told[2] ?? { node: "", process: "", instance: "", token: 0 };
  const ended = { instance: third.instance, token: third.token };
  const faults = [
    harness(1_350, { event: "fault", fault: "kill alpha" }),
    harness(1_351, { event: "leader-by", withinMs: 3_291 }),
    harness(3_750, { event: "fault", fault: "freeze beta" }),
    harness(3_751, { event: "leader-by", withinMs: 3_291 }),
    harness(5_900, { event: "fault", fault: "thaw beta" }),
    line(5_902, "beta", "2-b", {
      event: "lost",
      instance: told[1]?.instance ?? "",
      token: told[1]?.token ?? 1,
      reason: "deadline",
      lateByMs: 870,
    }),
    harness(6_200, { event: "fault", fault: "stop gamma" }),
    harness(6_201, { event: "leader-by", withinMs: 3_291 }),
    line(6_202, "gamma", third.process, { event: "lost", ...ended, reason: "stopped", lateByMs: 0 }),
    line(6_220, "gamma", third.process, { event: "released", ...ended, outcome: "released" }),
  ];
  const kept = told.flatMap((term) => {
    const own = [stored(term, 1, term.electedMs - 3, "held"), stored(term, 2, term.renewedMs - 3, "held")];
    return term === third ? [...own, stored(term, 3, 6_210, "released")] : own;
  });
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
      rounds: 1,
      ttlMs: 2_000,
      allowanceMs: 250,
      silenceMs: 334,
      budget: { ...budget, assumptions: [] },
    },
    lines: [...told.flatMap(linesOf), ...faults],
    findings: [],
    kept: kept.map((version, index) => ({ ...version, number: index + 1 })),
  };
}
