/** The verdict for people: a table and one line. */

import type { FaultRow, Verdict } from "./judge.js";

const titles = { kill: "kill -9", freeze: "SIGSTOP, SIGCONT", stop: "SIGTERM" };
const head = ["fault", "rounds", "next leader: median", "max", "bound", "belief overlap", "ok"];

export function describeVerdict(verdict: Verdict): string {
  const { faults, reasons, notes, audit, records } = verdict;
  const parts = faults.length === 0 ? [] : [table([head, ...faults.map(cells)])];
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
  parts.push(...notes, ...reasons.map((reason) => `FAIL  ${reason}`), verdict.verdict);
  return `${parts.join("\n")}\n`;
}

function cells(row: FaultRow): readonly string[] {
  return [
    titles[row.fault],
    String(row.rounds.length),
    ms(row.medianMs),
    ms(row.maxMs),
    ms(row.boundMs),
    ms(row.overlapMs),
    row.ok ? "yes" : "NO",
  ];
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
      .join("  ");
  return `\n${rows.map(line).join("\n")}\n`;
}
