/** Hand-made runs: a leader that is stopped and refused, two leaders at once, and a run of many lines. */

import type { HistoryEvent, HistoryLine } from "../../src/history/line.js";
import type { Moment, RunStory } from "../../src/lab/timeline.js";

export function ns(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

export function line(ms: number, node: string, event: HistoryEvent): HistoryLine {
  const stamp = { v: 1, boot: `boot-${node}`, at: ns(ms), wall: Math.floor(ms), process: `p-${node}`, node };
  return { ...stamp, namespace: "default", election: "invoices", ...event };
}

export function moment(atMs: number, party: string, kind: Moment["kind"], text: string): Moment {
  return { atMs, party, kind, text };
}

export const first = { instance: "i-0", token: 7 } as const;
export const second = { instance: "i-1", token: 9 } as const;
export const ledger = { resource: "ledger" } as const;

const parties: RunStory["parties"] = [
  { name: "n0", kind: "node", note: "clock exact" },
  { name: "n1", kind: "node", note: "clock 1.2 times as fast" },
  { name: "n2", kind: "node" },
  { name: "store", kind: "store", note: "memory" },
  { name: "ledger", kind: "resource", note: "fenced" },
];

/** n0 leads, is stopped, n1 takes over and hands back its lease; n0 wakes and is refused. */
export function stoppedLeader(): RunStory {
  return {
    title: "A stopped leader wakes up",
    facts: [
      ["seed", "42"],
      ["ttl", "12 s"],
      ["clocks", "n0 1.0, n1 1.2, n2 0.9"],
    ],
    untilMs: 40_000,
    parties,
    moments: [
      moment(0, "n0", "process", "starts"),
      moment(0, "n1", "process", "starts"),
      moment(900, "n0", "call", "reads the record"),
      moment(950, "n0", "call", "reads the record"),
      moment(1_000, "n0", "belief", "is elected"),
      moment(7_500, "world", "fault", "stops n0 for 18 s"),
      moment(26_000, "ledger", "guard", "says STALE"),
    ],
    lines: [
      line(1_000, "n0", { event: "elected", ...first, until: ns(9_000) }),
      line(1_010, "n0", { event: "claimed", ...first, ...ledger }),
      line(1_100, "n0", { event: "checked", ...first }),
      line(1_120, "n0", { event: "applied", ...first, ...ledger, seq: 1, opId: "a" }),
      line(3_000, "n0", { event: "extended", ...first, until: ns(11_000) }),
      line(3_100, "n0", { event: "checked", ...first }),
      line(3_120, "n0", { event: "applied", ...first, ...ledger, seq: 2, opId: "b" }),
      line(5_000, "n0", { event: "extended", ...first, until: ns(13_000) }),
      line(6_000, "n2", { event: "observed", ...first }),
      line(7_000, "n0", { event: "extended", ...first, until: ns(15_000) }),
      line(17_400, "n1", { event: "elected", ...second, until: ns(25_300) }),
      line(17_410, "n1", { event: "claimed", ...second, ...ledger }),
      line(18_000, "n1", { event: "applied", ...second, ...ledger, seq: 1, opId: "c" }),
      line(19_400, "n1", { event: "extended", ...second, until: ns(27_400) }),
      line(21_400, "n1", { event: "extended", ...second, until: ns(29_400) }),
      line(23_400, "n1", { event: "uncertain", ...second }),
      line(25_400, "n1", { event: "extended", ...second, until: ns(33_400) }),
      line(25_400, "n1", { event: "confirmed", ...second }),
      line(25_500, "n0", { event: "lost", ...first, reason: "deadline", lateByMs: 10_500 }),
      line(26_000, "n0", { event: "refused", ...first, ...ledger, seq: 3, opId: "d", code: "STALE" }),
      line(27_000, "n0", { event: "released", ...first, outcome: "left-to-expire" }),
      line(31_000, "n1", { event: "lost", ...second, reason: "resigned", lateByMs: 0 }),
      line(32_500, "n1", { event: "released", ...second, outcome: "released" }),
    ],
    spans: [
      { party: "n0", kind: "stopped", fromMs: 7_500, untilMs: 25_500, text: "SIGSTOP" },
      { party: "store", kind: "stalled", fromMs: 22_900, untilMs: 24_100, text: "" },
      { party: "n2", kind: "cut", fromMs: 30_000, untilMs: 60_000, text: "from the store" },
    ],
    verdict: { broken: [], admitted: [] },
    again: "tenure lab --seed 42",
  };
}

/** A clock that is far too slow: n0 believes while n1 leads, and an unfenced write gets through. */
export function twoLeaders(): RunStory {
  const told = stoppedLeader();
  const lines = told.lines.filter(({ at }) => BigInt(at) < 23_000_000_000n);
  return {
    ...told,
    title: "Two leaders at once",
    untilMs: 24_000,
    moments: [
      moment(5_500, "world", "fault", "turns n0's clock down to a half"),
      moment(17_400, "world", "broken", "P1: n0 and n1 both believe"),
    ],
    lines: [
      ...lines,
      line(15_000, "n0", { event: "extended", ...first, until: ns(18_650) }),
      line(18_200, "n0", { event: "applied", ...first, ...ledger, seq: 3, opId: "x" }),
    ],
    spans: [],
    verdict: {
      broken: ["P1: n0 (token 7) and n1 (token 9) both believed for 1250 ms, from 17.4 s on"],
      admitted: ["the clocks of n0 and n1 differ by more than 1.5 : 1"],
    },
    again: "tenure lab --seed 43 --clock n0=0.5",
  };
}

/** Ten minutes with at least `count` lines: three nodes take turns, each term ends by one fault or another. */
export function longRun(count: number): RunStory {
  const lines: HistoryLine[] = [];
  const moments: Moment[] = [];
  const spans: RunStory["spans"][number][] = [];
  const [untilMs, termMs] = [600_000, 20_000];
  const termCount = untilMs / termMs;
  const writes = Math.ceil(count / termCount / 2);
  for (let term = 0; term < termCount; term++) {
    const node = `n${term % 3}`;
    const of = { instance: `i-${term}`, token: 100 + term };
    const [fromMs, endMs] = [term * termMs + 700, term * termMs + 15_000];
    lines.push(line(fromMs, node, { event: "elected", ...of, until: ns(fromMs + 8_000) }));
    lines.push(line(fromMs + 2, node, { event: "claimed", ...of, ...ledger }));
    for (let write = 1; write <= writes; write++) {
      const atMs = fromMs + 5 + (write * (endMs - fromMs - 10)) / (writes + 1);
      if (write % 40 === 0)
        lines.push(line(atMs, node, { event: "extended", ...of, until: ns(atMs + 4_000) }));
      lines.push(line(atMs, node, { event: "checked", ...of }));
      lines.push(
        line(atMs + 0.4, node, { event: "applied", ...of, ...ledger, seq: write, opId: `${term}-${write}` }),
      );
    }
    if (term % 2 === 0) {
      lines.push(line(endMs, node, { event: "lost", ...of, reason: "resigned", lateByMs: 0 }));
      lines.push(line(endMs + 300, node, { event: "released", ...of, outcome: "released" }));
      continue;
    }
    moments.push(moment(endMs - 400, "world", "fault", `stops ${node}`));
    spans.push({
      party: node,
      kind: "stopped",
      fromMs: endMs - 400,
      untilMs: endMs + 7_000,
      text: "SIGSTOP",
    });
    const late = { event: "refused", ...of, ...ledger, seq: writes + 1, code: "STALE" } as const;
    if (term + 1 < termCount) lines.push(line(endMs + 7_001, node, late));
  }
  const facts = [["seed", "7"]] as const;
  const verdict = { broken: [], admitted: [] };
  const again = "tenure lab --seed 7 --minutes 10";
  return { title: "Ten minutes", facts, untilMs, parties, moments, lines, spans, verdict, again };
}
