// Marks of events. Those that would lie on each other are one mark with a count, or a column where there are many. Pure.

import { toX } from "./geometry.mjs";
import { fits, shape } from "./layout.mjs";
import { firstAt, inSeconds } from "./search.mjs";

/** @import { PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Shape } from "./layout.mjs" */

/**
 * Height of a sign within its lane. What bars or spans show already has none.
 * @type {Readonly<Record<string, number>>}
 */
const markHeights = {
  elected: 9,
  uncertain: 9,
  confirmed: 9,
  lost: 9,
  lapsed: 9,
  released: 9,
  process: 9,
  belief: 9,
  observed: 9,
  call: 9,
  store: 17,
  checked: 50,
  claimed: 18,
  guard: 18,
  applied: 34,
  slipped: 34,
  refused: 50,
  fault: 15,
  asked: 15,
  broken: 15,
};
/** What happens so often that its number matters more than each of it. */
const many = new Set(["checked", "applied", "call", "store", "observed"]);
const binPx = 12;

/**
 * @typedef {{ readonly lane: number, readonly sign: string, readonly by: number, readonly ms: number,
 *   readonly text: string, count: number }} Mark
 */

/**
 * The marks in sight. Bins are fixed in time, so that a mark does not jump when the view moves.
 * @param {PageData} data
 * @param {View} view
 * @returns {readonly Mark[]}
 */
export function marksIn(data, view) {
  const binMs = ((view.untilMs - view.fromMs) * binPx) / Math.max(1, view.right - view.left);
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  for (let index = firstAt(data.events, view.fromMs); index < data.events.length; index++) {
    const event = data.events[index];
    if (event === undefined || event[0] > view.untilMs) break;
    const [ms, lane, number, text, by] = event;
    const sign = data.signs[number] ?? "";
    if (markHeights[sign] === undefined) continue;
    const key = `${lane} ${sign} ${by} ${Math.floor(ms / binMs)}`;
    const mark = marks.get(key);
    if (mark === undefined) marks.set(key, { lane, sign, by, ms, text, count: 1 });
    else mark.count++;
  }
  return [...marks.values()];
}

/**
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function markShapes(data, view, layout) {
  const marks = marksIn(data, view);
  const shapes = marks.flatMap((mark) => {
    const row = layout.rows[mark.lane];
    if (row === undefined) return [];
    const height = markHeights[mark.sign] ?? 0;
    // A lane of another kind than expected still has room for what is said of it.
    const y = row.top + Math.min(height, row.height - 8);
    const colour = layout.rows[mark.by]?.colour ?? row.colour;
    return shapesOf(mark, toX(view, mark.ms), y, colour);
  });
  return [...watermarkShapes(data, view, layout), ...shapes, ...faultNames(marks, view, layout)];
}

/**
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @returns {Shape[]}
 */
function shapesOf({ sign, ms, text, count }, x, y, colour) {
  const together = count === 1 ? "" : `${count} together, the first at `;
  const title = `${together}${inSeconds(ms)}: ${text}`;
  if (count > 1 && many.has(sign)) {
    const height = Math.min(14, 4 + 3 * Math.log2(count));
    const box = { x: x - 1, y: y + 5 - height, width: binPx - 4, height };
    return [shape("rect", `column ${sign} ${colour}`, box, { title })];
  }
  const one = shape("use", `mark ${sign} ${colour}`, { href: `#s-${sign}`, x, y }, { title });
  return count === 1 ? [one] : [one, shape("text", "count", { x: x + 6, y: y - 2 }, { text: `${count}` })];
}

/**
 * The watermark as a line from claim to claim.
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
function watermarkShapes(data, view, layout) {
  return data.watermarks.flatMap(({ lane, atMs, token, by }, index) => {
    const next = data.watermarks.find((other, at) => at > index && other.lane === lane);
    const untilMs = next?.atMs ?? data.untilMs;
    const row = layout.rows[lane];
    if (row === undefined || untilMs < view.fromMs || atMs > view.untilMs) return [];
    const x1 = Math.max(view.left, toX(view, atMs));
    const x2 = Math.min(view.right, toX(view, untilMs));
    const y = row.top + 18;
    const colour = layout.rows[by]?.colour ?? "plain";
    const shapes = [shape("line", `watermark ${colour}`, { x1, x2, y1: y, y2: y })];
    const text = [`watermark ${token}`, `${token}`].find((label) => fits(label, x2 - x1 - 10));
    if (text !== undefined) {
      shapes.push(shape("text", "watermark-name", { x: x1 + 10, y: y - 5 }, { text }));
    }
    return shapes;
  });
}

/**
 * Faults in words where there is room on one of two lines, and a line through all lanes.
 * @param {readonly Mark[]} marks
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
function faultNames(marks, view, { rows, height }) {
  const ends = [0, 0];
  return marks.flatMap(({ lane, sign, ms, text, count }) => {
    const row = rows[lane];
    if (row === undefined || (sign !== "fault" && sign !== "broken")) return [];
    const x = toX(view, ms);
    const shapes = [shape("line", `guide ${sign}`, { x1: x, x2: x, y1: row.top, y2: height })];
    const label = count === 1 ? text : `${text} …`;
    const width = label.length * 6.4 + 20;
    const line = ends.findIndex((end) => end <= x);
    if (line === -1 || x + width > view.right || row.height < 40) return shapes;
    ends[line] = x + width;
    const at = { x: x + 10, y: row.top + 19 + 17 * line };
    return [...shapes, shape("text", `fault-name ${sign}`, at, { text: label })];
  });
}
