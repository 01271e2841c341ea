/** What the frozen servers showed: our figures beside their target, and the table of all libraries for pages. */

import { percentile, threeDigits } from "../numbers.mjs";

/** @typedef {import("./frozen.mjs").Row} Row */
/** @typedef {{ readonly ttlMs: number, readonly limitMs: number }} Settings */

/** What a busy event loop may add to the deadline. */
const graceMs = 50;

/**
 * @param {readonly Row[]} rows
 * @param {Settings} settings
 * @returns {readonly import("../table.mjs").Figure[]}
 */
export function figuresOfOurs(rows, { ttlMs, limitMs }) {
  const ourRows = rows.filter(({ entry }) => entry.package === "tenure");
  const ours = ourRows.flatMap(({ tellings }) => tellings);
  const lostBefore = ourRows.reduce((sum, row) => sum + row.lostBefore, 0);
  const runs = `of ${ours.length + lostBefore}`;
  const most = Math.round(ttlMs / 1.5 + graceMs);
  const target = { unit: "ms", most, why: `ttl / 1.5 + ${graceMs} ms` };
  const fromRenewal = ours.map(({ afterRenewalMs }) => afterRenewalMs);
  const fromFreeze = ours.map(({ afterFreezeMs }) => afterFreezeMs ?? limitMs);
  const name = `frozen server, ttl ${ttlMs / 1_000} s, told`;
  return [
    { name: `${name} after the freeze, p50`, value: percentile(fromFreeze, 50), unit: "ms" },
    { name: `${name} after the freeze, p99`, value: percentile(fromFreeze, 99), ...target },
    { name: `${name} after the freeze, max`, value: percentile(fromFreeze, 100), ...target },
    { name: `${name} after the last renewal, p50`, value: percentile(fromRenewal, 50), unit: "ms" },
    { name: `${name} after the last renewal, p99`, value: percentile(fromRenewal, 99), ...target },
    { name: `${name} after the last renewal, max`, value: percentile(fromRenewal, 100), ...target },
    { name: "frozen server, lost before it was frozen", value: lostBefore, unit: runs, most: 0 },
  ];
}

/**
 * @param {readonly Row[]} rows
 * @param {Settings} settings
 * @returns {string}
 */
export function markdownOf(rows, settings) {
  const head = [
    "Holder",
    "Runs",
    "Told after the freeze: p50, max",
    "After its last confirmed renewal: max",
    `Held on beyond the ${settings.ttlMs / 1_000} s it had asked for`,
    "How it is told",
  ];
  const lines = [head, head.map(() => "---"), ...rows.map((row) => cellsOf(row, settings))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * @param {Row} row
 * @param {Settings} settings
 * @returns {readonly string[]}
 */
function cellsOf({ title, tellings, lostBefore }, { ttlMs, limitMs }) {
  const runs =
    lostBefore === 0 ? String(tellings.length) : `${tellings.length}, lost before in ${lostBefore}`;
  if (tellings.length === 0) return [title, runs, "-", "-", "-", "-"];
  const told = tellings.flatMap(({ afterFreezeMs }) => (afterFreezeMs === undefined ? [] : [afterFreezeMs]));
  const missed = tellings.length - told.length;
  const longest = percentile(
    tellings.map(({ afterRenewalMs }) => afterRenewalMs),
    100,
  );
  const over = longest - ttlMs;
  const beyond = over <= 0 ? "no" : `${missed > 0 ? "more than " : "by "}${seconds(over)}`;
  return [
    title,
    runs,
    toldCell(told, { missed, limitMs }),
    missed > 0 ? `more than ${seconds(longest)}` : seconds(longest),
    beyond,
    [...new Set(tellings.map(({ how }) => how))].toSorted().join("; "),
  ];
}

/**
 * @param {readonly number[]} told
 * @param {{ readonly missed: number, readonly limitMs: number }} rest
 */
function toldCell(told, { missed, limitMs }) {
  const never = `not within ${limitMs / 1_000} s`;
  if (told.length === 0) return never;
  const range = `${seconds(percentile(told, 50))}, ${seconds(percentile(told, 100))}`;
  return missed === 0 ? range : `${range}; ${never} in ${missed}`;
}

/** @param {number} ms */
function seconds(ms) {
  return `${threeDigits(ms / 1_000)} s`;
}
