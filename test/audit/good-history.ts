/**
 * One lawful history with every event of v1: alpha leads and resigns, beta takes over and is killed, gamma waits
 * the lease out, leads, and loses at its deadline. Tests bend one line of it at a time.
 */

import type { HistoryEvent, HistoryLine } from "../../src/history/line.js";

export const ttlMs = 3_000;

const processes: Readonly<Record<string, string>> = {
  alpha: "101-a",
  beta: "102-b",
  gamma: "103-c",
  delta: "104-d",
  harness: "100-h",
};

export function ns(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

export function line(ms: number, node: string, event: HistoryEvent, boot = "boot-1"): HistoryLine {
  const process = processes[node] ?? node;
  const stamp = { v: 1, boot, at: ns(ms), wall: 1_700_000_000_000 + Math.floor(ms), process, node };
  return { ...stamp, namespace: "default", election: "invoices", ...event };
}

export const alpha = { instance: "instance-a", token: 10 } as const;
export const beta = { instance: "instance-b", token: 11 } as const;
export const gamma = { instance: "instance-c", token: 12 } as const;
export const ledger = { resource: "ledger" } as const;

export function goodHistory(): readonly HistoryLine[] {
  return [
    line(100, "alpha", { event: "elected", ...alpha, until: ns(2_100) }),
    line(120, "gamma", { event: "observed", ...alpha }),
    line(150, "alpha", { event: "claimed", ...alpha, ...ledger }),
    line(200, "alpha", { event: "checked", ...alpha }),
    line(300, "alpha", { event: "applied", ...alpha, ...ledger, seq: 1, opId: "op-1" }),
    line(400, "alpha", { event: "applied", ...alpha, ...ledger, seq: 2, opId: "op-2" }),
    line(600, "alpha", { event: "extended", ...alpha, until: ns(2_600) }),
    line(1_100, "alpha", { event: "uncertain", ...alpha }),
    line(1_300, "alpha", { event: "extended", ...alpha, until: ns(3_250) }),
    line(1_300, "alpha", { event: "confirmed", ...alpha }),
    line(1_400, "alpha", { event: "checked", ...alpha }),
    line(1_500, "alpha", { event: "lost", ...alpha, reason: "resigned", lateByMs: 0 }),
    line(1_520, "alpha", { event: "released", ...alpha, outcome: "released" }),
    line(1_540, "beta", { event: "elected", ...beta, until: ns(3_530) }),
    line(1_550, "gamma", { event: "observed", ...beta }),
    line(1_560, "beta", { event: "claimed", ...beta, ...ledger }),
    line(1_570, "alpha", { event: "refused", ...alpha, ...ledger, seq: 3, opId: "op-9", code: "STALE" }),
    line(1_600, "beta", { event: "applied", ...beta, ...ledger, seq: 1, opId: "op-3" }),
    line(2_000, "beta", { event: "extended", ...beta, until: ns(4_000) }),
    line(2_100, "beta", { event: "checked", ...beta }),
    line(2_200, "harness", { event: "fault", fault: "kill beta" }),
    line(2_201, "harness", { event: "leader-by", withinMs: 3_500 }),
    line(3_950, "gamma", { event: "observed", ...beta }),
    line(4_100, "gamma", { event: "observed", ...beta }),
    line(5_010, "gamma", { event: "elected", ...gamma, until: ns(7_000) }),
    line(5_020, "gamma", { event: "claimed", ...gamma, ...ledger }),
    line(5_030, "gamma", { event: "applied", ...gamma, ...ledger, seq: 1, opId: "op-4" }),
    line(5_500, "gamma", { event: "extended", ...gamma, until: ns(7_450) }),
    line(5_600, "gamma", { event: "checked", ...gamma }),
    line(5_700, "harness", { event: "store", body: "unreadable" }),
    line(7_451, "gamma", { event: "lost", ...gamma, reason: "deadline", lateByMs: 1 }),
    line(7_460, "gamma", { event: "released", ...gamma, outcome: "left-to-expire" }),
  ];
}
