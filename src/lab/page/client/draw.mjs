// The one place where shapes become elements. Text is set as text, so nothing in a history can be markup.

import { barShapes, overlapShapes, promiseShapes, spanShapes } from "./beliefs.mjs";
import { toX } from "./geometry.mjs";
import { svgElement } from "./elements.mjs";
import { axisShapes, laneShapes, shape } from "./layout.mjs";
import { markShapes } from "./marks.mjs";

/** @import { PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Shape } from "./layout.mjs" */

/**
 * @param {Shape} shape
 */
function elementOf({ tag, attributes, text, title }) {
  const element = svgElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? String(Math.round(value * 10) / 10) : value);
  }
  if (text !== undefined) element.textContent = text;
  if (title !== undefined) {
    const tip = svgElement("title");
    tip.textContent = title;
    element.append(tip);
  }
  return element;
}

/**
 * @param {Element} into
 * @param {readonly Shape[]} shapes
 */
function show(into, shapes) {
  into.replaceChildren(...shapes.map(elementOf));
}

/**
 * The chart without what hangs on the cursor.
 * @param {Element} into
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 */
export function drawChart(into, data, view, layout) {
  show(into, [
    ...laneShapes(data.lanes, layout),
    ...axisShapes(view, layout),
    ...spanShapes(data, view, layout),
    ...barShapes(data, view, layout),
    ...overlapShapes(data, view, layout),
    ...markShapes(data, view, layout),
  ]);
}

/**
 * @param {Element} into
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @param {number} cursorMs
 */
export function drawCursor(into, data, view, layout, cursorMs) {
  if (cursorMs < view.fromMs || cursorMs > view.untilMs) return into.replaceChildren();
  const x = toX(view, cursorMs);
  show(into, [
    ...promiseShapes(data, view, layout, cursorMs),
    shape("line", "cursor", { x1: x, x2: x, y1: 20, y2: layout.height }),
    shape("path", "cursor-head", { d: `M${x - 5} 18h10l-5 7z` }),
  ]);
}

/**
 * The whole run in little, with the part that is seen.
 * @param {Element} into
 * @param {PageData} data
 * @param {View} whole
 * @param {View} view
 * @param {Layout} layout
 */
export function drawOverview(into, data, whole, view, layout) {
  const nodes = data.lanes.flatMap(({ kind }, lane) => (kind === "node" ? [lane] : []));
  const step = 26 / Math.max(1, nodes.length);
  const bars = data.bars.map(({ lane, fromMs, untilMs }) => {
    const x = toX(whole, fromMs);
    const box = { x, y: 4 + nodes.indexOf(lane) * step, width: Math.max(1.5, toX(whole, untilMs) - x) };
    return shape("rect", `bar ${layout.rows[lane]?.colour}`, { ...box, height: step - 1 });
  });
  const red = new Set(["fault", "refused", "slipped", "broken"]);
  const seenAt = new Set();
  const marks = data.events.flatMap(([ms, , sign]) => {
    const name = data.signs[sign] ?? "";
    const x = Math.round(toX(whole, ms));
    if (!red.has(name) || seenAt.has(`${name} ${x}`)) return [];
    seenAt.add(`${name} ${x}`);
    return [shape("line", `tiny ${name}`, { x1: x, x2: x, y1: 31, y2: 38 })];
  });
  const x = toX(whole, view.fromMs);
  const window = {
    x,
    y: 1,
    width: Math.max(4, toX(whole, view.untilMs) - x),
    height: 38,
    rx: 3,
  };
  show(into, [...bars, ...marks, shape("rect", "window", window)]);
}
