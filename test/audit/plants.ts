/** Faults planted into the good history, each to be reported by one checker and no other. */

import type { Invariant } from "../../src/audit/index.js";
import type { HistoryLine } from "../../src/history/line.js";
import { alpha, beta, gamma, goodHistory, ledger, line, ns } from "./good-history.js";

export interface Plant {
  readonly title: string;
  readonly invariant: Invariant;
  readonly message: RegExp;
  readonly lines: readonly HistoryLine[];
  readonly guardOrder?: "strict";
}

function adding(...lines: readonly HistoryLine[]): readonly HistoryLine[] {
  return [...goodHistory(), ...lines];
}

/** Changes the lines that the test picks. */
function changing(
  picks: (line: HistoryLine) => boolean,
  change: (line: HistoryLine) => HistoryLine,
): readonly HistoryLine[] {
  return goodHistory().map((entry) => (picks(entry) ? change(entry) : entry));
}

const termEvents = new Set(["elected", "extended", "checked", "lost", "released"]);
const isTermOf =
  (node: string) =>
  ({ event, node: by }: HistoryLine) =>
    by === node && termEvents.has(event);

const sights = Array.from({ length: 12 }, (_, index) =>
  line(4_300 + 300 * index, "delta", { event: "observed", ...beta }),
);

export const plants: readonly Plant[] = [
  {
    title: "a term with a token below its predecessor's",
    invariant: "I1",
    message: /gamma \(token 9, .*\) was elected at 4910.000 ms, after beta .* with a lower token/,
    lines: changing(isTermOf("gamma"), (entry) => ({ ...entry, token: 9 }) as HistoryLine),
  },
  {
    title: "two terms with one token",
    invariant: "I1",
    message: /two terms of "invoices" have one token: beta \(token 11, .* and gamma \(token 11/,
    lines: changing(isTermOf("gamma"), (entry) => ({ ...entry, token: 11 }) as HistoryLine),
  },
  {
    title: "a deadline 1 ms beyond the successor's election",
    invariant: "I2",
    message: /gamma .* elected at 4910.000 ms while beta .* until 4911.000 ms: both led for 1.000 ms/,
    lines: changing(
      ({ event, node }) => event === "extended" && node === "beta",
      (entry) => ({ ...entry, until: ns(5_011) }) as HistoryLine,
    ),
  },
  {
    title: "a write applied under a token below a claim",
    invariant: "I3",
    message: /"ledger" accepted op-9 \(number 3\) of alpha .* at 1490.000 ms, after beta .* 1460.000 ms/,
    lines: adding(line(1_590, "alpha", { event: "applied", ...alpha, ...ledger, seq: 3, opId: "op-9" })),
  },
  {
    title: "a write applied without a claim",
    invariant: "I3",
    message: /accepted op-5 .* of gamma .* without a claim of its own before/,
    lines: adding(line(5_015, "gamma", { event: "applied", ...gamma, ...ledger, seq: 5, opId: "op-5" })),
  },
  {
    title: "one token claimed by two owners",
    invariant: "I4",
    message: /accepted a claim of delta \(token 12, .* under the token of gamma/,
    lines: adding(line(5_025, "delta", { event: "claimed", instance: "instance-d", token: 12, ...ledger })),
  },
  {
    title: "one number used for two operations",
    invariant: "I4",
    message: /accepted op-5 \(number 1\) of beta .* as number 1, which was another's/,
    lines: adding(line(1_650, "beta", { event: "applied", ...beta, ...ledger, seq: 1, opId: "op-5" })),
  },
  {
    title: "numbers out of order at a strict guard",
    invariant: "I4",
    message: /accepted op-2 \(number 1\) of alpha .* after number 7 of token 10/,
    guardOrder: "strict",
    lines: changing(
      ({ event, node }) => event === "applied" && node === "alpha",
      (entry) => ("seq" in entry ? { ...entry, seq: entry.seq === 1 ? 7 : 1 } : entry),
    ),
  },
  {
    title: "a check that passed at the deadline",
    invariant: "I5",
    message: /a check of beta .* passed at 3900.000 ms, 0.000 ms after its deadline/,
    lines: adding(line(4_000, "beta", { event: "checked", ...beta })),
  },
  {
    title: "a check that passed after the loss",
    invariant: "I5",
    message: /a check of alpha .* passed at 1430.000 ms, 30.000 ms after its loss \(resigned\)/,
    lines: adding(line(1_530, "alpha", { event: "checked", ...alpha })),
  },
  {
    title: "a check of a term that nothing began",
    invariant: "I5",
    message: /a check of delta .* no line says that this term had begun/,
    lines: adding(line(4_500, "delta", { event: "checked", instance: "instance-d", token: 12 })),
  },
  {
    title: "confirmed without uncertain",
    invariant: "I6",
    message: /alpha .* wrote "confirmed" at 1200.000 ms, but it was not uncertain/,
    lines: goodHistory().filter(({ event }) => event !== "uncertain"),
  },
  {
    title: "a term lost twice",
    invariant: "I6",
    message: /alpha .* wrote "lost" at 1410.000 ms, but the term had ended/,
    lines: adding(line(1_510, "alpha", { event: "lost", ...alpha, reason: "deadline", lateByMs: 0 })),
  },
  {
    title: "a release that no loss came before",
    invariant: "I6",
    message: /gamma .* wrote "released" at 7360.000 ms, but it was leading/,
    lines: goodHistory().filter(({ event, node }) => event !== "lost" || node !== "gamma"),
  },
  {
    title: "a renewal that revives an ended belief",
    invariant: "I6",
    message: /beta .* wrote "extended" at 4000.000 ms, but its belief had ended 100.000 ms before/,
    lines: adding(line(4_100, "beta", { event: "extended", ...beta, until: ns(4_200) })),
  },
  {
    title: "an observer that names an older leader again",
    invariant: "I6",
    message: /gamma named the leader of token 10 at 1500.000 ms, although it had named token 11/,
    lines: adding(line(1_600, "gamma", { event: "observed", ...alpha })),
  },
  {
    title: "a leader that came after the bound",
    invariant: "I7",
    message: /asked for at 2101.000 ms within 2000 ms, but gamma .* came after 2809.000 ms/,
    lines: changing(
      ({ event }) => event === "leader-by",
      (entry) => ({ ...entry, withinMs: 2_000 }) as HistoryLine,
    ),
  },
  {
    title: "a leader that never came",
    invariant: "I7",
    message: /asked for at 7400.000 ms within 9000 ms, but none showed itself until the history ends/,
    lines: adding(line(7_500, "harness", { event: "leader-by", withinMs: 9_000 })),
  },
  {
    title: "a holder that observers name long after its belief",
    invariant: "I8",
    message: /delta still named beta .* 3600.000 ms after its belief had ended, .* every 300.000 ms/,
    lines: adding(...sights),
  },
  {
    title: "one operation applied under two numbers",
    invariant: "I9",
    message: /accepted op-1 \(number 3\) of alpha .* although it was applied as number 1 of token 10/,
    lines: adding(line(450, "alpha", { event: "applied", ...alpha, ...ledger, seq: 3, opId: "op-1" })),
  },
  {
    title: "an unreadable record that was written over",
    invariant: "I10",
    message: /of "invoices" was written over at 5700.000 ms, although it was unreadable at 5600.000 ms/,
    lines: adding(line(5_800, "harness", { event: "store", body: "overwritten" })),
  },
];
