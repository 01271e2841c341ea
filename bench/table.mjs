/** Figures as a table for people: what was measured, beside what, against which target. */

import { threeDigits } from "./numbers.mjs";

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number} [most] the target, in the same unit
 * @property {number} [least] the target, where more is better
 * @property {string} [why] where the target comes from
 * @property {string} [beside] the bare operation in the same run, or what else the value is read against
 */

/**
 * @typedef {object} PartResult
 * @property {string} part
 * @property {readonly Figure[]} figures
 * @property {Readonly<Record<string, readonly number[]>>} samples raw, in the unit that the name ends with
 * @property {string} [markdown] a table of its own, for pages
 * @property {string} [failure] why it did not run to its end
 */

const head = ["figure", "measured", "beside", "target", "verdict"];

/**
 * @param {readonly PartResult[]} results
 * @returns {string}
 */
export function describeResults(results) {
  const rows = [head, ...results.flatMap(({ figures }) => figures.map(cellsOf))];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => pad(cell, column, widths))
      .join("  ")
      .trimEnd(),
  );
  const failures = results.flatMap(({ part, failure }) =>
    failure === undefined ? [] : [`FAILED TO RUN  ${part}: ${failure}`],
  );
  const pages = results.flatMap(({ markdown }) => (markdown === undefined ? [] : ["", markdown]));
  return `${[...lines, ...failures, ...pages].join("\n")}\n`;
}

/**
 * @param {Figure} figure
 * @returns {"met" | "MISSED" | "-"}
 */
export function verdictOf({ value, most, least }) {
  if (most === undefined && least === undefined) return "-";
  return value <= (most ?? value) && value >= (least ?? value) ? "met" : "MISSED";
}

/**
 * @param {Figure} figure
 * @returns {readonly string[]}
 */
function cellsOf(figure) {
  const { name, value, unit, most, least, why, beside = "-" } = figure;
  const bound = most === undefined ? `>= ${String(least)}` : `<= ${String(most)}`;
  const limit =
    (most ?? least) === undefined ? "-" : `${bound} ${unit}${why === undefined ? "" : ` (${why})`}`;
  return [name, `${threeDigits(value)} ${unit}`, beside, limit, verdictOf(figure)];
}

/**
 * Numbers to the right, words to the left.
 *
 * @param {string} cell
 * @param {number} column
 * @param {readonly number[]} widths
 */
function pad(cell, column, widths) {
  const width = widths[column] ?? 0;
  return column === 1 ? cell.padStart(width) : cell.padEnd(width);
}
