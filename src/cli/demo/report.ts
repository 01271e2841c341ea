/** The verdict for people: a table and one line. */

import type { FaultKind } from "./fault-kinds.js";
import type { Verdict } from "./judge.js";
import { describeLost, type WorkVerdict } from "./judge-work.js";
import type { Overlap } from "./overlaps.js";
import type { FaultRow, Span } from "./rows.js";

const titles: Readonly<Record<FaultKind, string>> = {
  kill: "kill -9",
  freeze: "SIGSTOP, SIGCONT",
  block: "blocked event loop",
  stop: "SIGTERM",
  transfer: "transfer",
};
/** A broken run repeats itself; the rest is in the JSON. */
const reasonsShown = 12;
const head = [
  "fault",
  "rounds",
  "next leader: median",
  "max",
  "bound",
  "belief overlap",
  "stale refused",
  "ok",
];

export function describeVerdict(verdict: Verdict): string {
  const { faults, reasons, overlaps, notes, audit, records, work } = verdict;
  const parts = faults.length === 0 ? [] : [table([head, ...faults.flatMap(cells)])];
  if (audit !== undefined && records !== undefined) {
    const { counts } = audit;
    const judged = audit.checks.filter((check) => check.judged > 0).map(({ invariant }) => invariant);
    const idle = audit.checks.filter((check) => check.judged === 0).map(({ invariant }) => invariant);
    parts.push(
      `Judged from ${counts.lines} history lines of ${counts.processes} processes (${counts.checked} checks) ` +
        `and ${records.judged} records of the store.`,
      `Invariants judged: ${judged.join(", ")}; nothing to judge for: ${idle.join(", ") || "none"}.`,
    );
  }
  if (work !== undefined) parts.push(...describeWork(work));
  const more = reasons.length - reasonsShown;
  parts.push(
    ...notes,
    ...overlaps.map(tell),
    ...(work?.lost ?? []).map(describeLost).map(({ what, why }) => `LOST UPDATE: ${what}:\n  ${why}`),
    ...reasons.slice(0, reasonsShown).map((reason) => `FAIL  ${reason}`),
    ...(more > 0 ? [`FAIL  and ${more} more reasons (--json shows them)`] : []),
    verdict.verdict,
  );
  return `${parts.join("\n")}\n`;
}

function describeWork(work: WorkVerdict): readonly string[] {
  const { ledger, journal, replays, stale, repliesLost, duplicatesAnswered, redone } = work;
  const state = ledger.intact ? "ledger intact" : "LEDGER NOT INTACT";
  const tried = `${stale.tried} stale writes tried, ${stale.refused} refused`;
  const counted = `${ledger.acknowledged} operations acknowledged, ${ledger.operations} in the ledger`;
  if (ledger.versions === 0) return [`${counted}, a plain file; ${tried}: ${state}.`];
  return [
    `${counted} (${ledger.versions} versions on disk), ${tried}: ${state}.`,
    `${repliesLost} replies treated as lost and sent again, ${duplicatesAnswered} answered as duplicates; ` +
      `${redone} done again by a successor, and known.`,
    `${journal.operations} entries in the journal; ${replays.made} leaders replayed it, ` +
      `${replays.whole} found all that was acknowledged.`,
  ];
}

/** Who, from when to when, how long; times as those at the left of the progress. */
function tell({ earlier, later, fromMs, untilMs, lastedMs, checked }: Overlap): string {
  const other = checked
    ? `${earlier.node}, whose check() with token ${earlier.token} still passed`
    : `${earlier.node}, which by its own history believed in token ${earlier.token}`;
  return (
    `TWO LED AT ONCE for ${ms(lastedMs)}, from ${seconds(fromMs)} to ${seconds(untilMs)}:\n` +
    `  ${later.node}, elected with token ${later.token}, and ${other}`
  );
}

function cells(row: FaultRow): readonly (readonly string[])[] {
  const { fault, rounds, gap, overlapMs, stale, ok } = row;
  const times = (span: Span) => [ms(span.medianMs), ms(span.maxMs), ms(span.boundMs)];
  const refused = stale === undefined ? "" : `${stale.refused} of ${stale.tried}`;
  const counts = [String(rounds.length), ...times(row), ms(overlapMs), refused];
  const first = [titles[fault], ...counts, ok ? "yes" : "NO"];
  return gap === undefined ? [first] : [first, ["  of that, nobody leads", "", ...times(gap), "", "", ""]];
}

function seconds(value: number): string {
  return `${(value / 1_000).toFixed(3)} s`;
}

function ms(value: number): string {
  return `${value > 0 && value < 1 ? value.toFixed(3) : Math.round(value)} ms`;
}

/** First column to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return `\n${rows.map(line).join("\n")}\n`;
}
