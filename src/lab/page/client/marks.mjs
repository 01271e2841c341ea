// Marks of events. Those that would lie on each other are one mark with a count, or a column where there are many. Pure.

import { toMs, toX } from "./geometry.mjs";
import { fitting, letterPx, shape } from "./layout.mjs";
import { firstAt, inSeconds } from "./search.mjs";

/** @import { PageData, ShownSign } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Shape } from "./layout.mjs" */

const binPx = 12;

/**
 * @typedef {ShownSign & { readonly lane: number, readonly by: number, readonly ms: number,
 *   readonly text: string, count: number }} Mark
 */

/**
 * The marks in sight. Bins are fixed in time, so that a mark does not jump when the view moves.
 * @param {PageData} data
 * @param {View} view
 * @returns {readonly Mark[]}
 */
export function marksIn(data, view) {
  const binMs = toMs(view, binPx) - toMs(view, 0);
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  for (let index = firstAt(data.events, view.fromMs); index < data.events.length; index++) {
    const event = data.events[index];
    if (event === undefined || event[0] > view.untilMs) break;
    const [ms, lane, number, text, by] = event;
    const sign = data.signs[number];
    if (sign === undefined || sign.heightPx === 0) continue;
    const key = `${lane} ${number} ${by} ${Math.floor(ms / binMs)}`;
    const mark = marks.get(key);
    if (mark === undefined) marks.set(key, { ...sign, lane, by, ms, text, count: 1 });
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
  // What happens often lies behind what is rare.
  const inOrder = marks.toSorted((a, b) => Number(b.often) - Number(a.often));
  const shapes = inOrder.flatMap((mark) => {
    const row = layout.rows[mark.lane];
    if (row === undefined) return [];
    // A lane of another kind than expected still has room for what is said of it.
    const y = row.top + Math.min(mark.heightPx, row.height - 8);
    const colour = layout.rows[mark.by]?.colour ?? row.colour;
    return shapesOf(mark, toX(view, mark.ms), y, colour);
  });
  return [...watermarkShapes(data, view, layout), ...faultNames(marks, view, layout), ...shapes];
}

/**
 * @param {Mark} mark
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @returns {Shape[]}
 */
function shapesOf({ sign, often, ms, text, count }, x, y, colour) {
  const together = count === 1 ? "" : `${count} together, the first at `;
  const title = `${together}${inSeconds(ms)}: ${text}`;
  if (count > 1 && often) {
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
function watermarkShapes(data, view, { rows }) {
  return data.watermarks.flatMap(({ lane, fromMs, untilMs, token, by }) => {
    if (untilMs < view.fromMs || fromMs > view.untilMs) return [];
    const x = Math.max(view.left, toX(view, fromMs));
    const end = Math.min(view.right, toX(view, untilMs));
    const y = (rows[lane]?.top ?? 0) + 18;
    const text = fitting(end - x - 10, [`watermark ${token}`, `${token}`]);
    return [
      shape("path", `watermark ${rows[by]?.colour}`, { d: `M${x} ${y}H${end}` }),
      shape("text", "watermark-name", { x: x + 10, y: y - 5 }, { text }),
    ];
  });
}

/**
 * A line through all lanes for each fault, and its words where there is room: beside its flag, or on the line below.
 * @param {readonly Mark[]} marks
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
function faultNames(marks, view, { rows, height }) {
  const faults = marks.filter(({ sign }) => sign === "fault" || sign === "broken");
  let taken = 0;
  return faults.flatMap(({ lane, sign, ms, text, count }, index) => {
    const [x, y] = [toX(view, ms), rows[lane]?.top ?? 0];
    const shapes = [shape("path", `guide ${sign}`, { d: `M${x} ${y}V${height}` })];
    const label = count === 1 ? text : `${text} …`;
    const end = x + 20 + label.length * letterPx;
    const isFree = end < toX(view, faults[index + 1]?.ms ?? Infinity);
    if (end > view.right || (!isFree && taken > x)) return shapes;
    if (!isFree) taken = end;
    const at = { x: x + 10, y: y + (isFree ? 19 : 36) };
    return [...shapes, shape("text", `fault-name ${sign}`, at, { text: label })];
  });
}
