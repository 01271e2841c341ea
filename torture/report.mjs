/** The verdict for people: a table, what was lost, and one word. */

/** A broken run repeats itself; the rest is in the JSON. */
const shown = 12;

/**
 * @param {import("./judge.mjs").Verdict} verdict
 * @returns {string}
 */
export function describeVerdict({ verdict, rows, losses, reasons, notes, audit }) {
  const width = Math.max(...rows.map(([what]) => what.length));
  const judged = audit.checks.filter((check) => check.judged > 0).map(({ invariant }) => invariant);
  const lines = [
    "",
    ...rows.map(([what, count]) => `${what.padEnd(width)}  ${count}`),
    "",
    `Judged from ${audit.counts.lines} history lines; invariants: ${judged.join(", ")}.`,
    ...notes,
    ...some("LOST", losses),
    ...some("FAIL", reasons),
    verdict,
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * @param {string} word
 * @param {readonly string[]} messages
 * @returns {readonly string[]}
 */
function some(word, messages) {
  const more = messages.length - shown;
  const rest = more > 0 ? [`${word}  and ${more} more (--json shows them)`] : [];
  return [...messages.slice(0, shown).map((message) => `${word}  ${message}`), ...rest];
}
