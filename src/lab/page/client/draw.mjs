// The time line from its shapes.

import { barShapes, overlapShapes, promiseShapes, spanShapes } from "./beliefs.mjs";
import { inSight, toX, whole } from "./geometry.mjs";
import { elementOf } from "./elements.mjs";
import { axisShapes, laneShapes, shape } from "./layout.mjs";
import { markShapes } from "./marks.mjs";

/** @import { PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Shape } from "./layout.mjs" */

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
  if (!inSight(view, cursorMs)) return into.replaceChildren();
  const x = toX(view, cursorMs);
  show(into, [
    ...promiseShapes(data, view, layout, cursorMs),
    shape("path", "cursor", { d: `M${x} ${layout.height}V25l-5-7h10l-5 7z` }),
  ]);
}

/**
 * The whole run in little, with the part that is seen.
 * @param {Element} into
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 */
export function drawOverview(into, data, view, layout) {
  const all = whole(view);
  const nodes = data.lanes.flatMap(({ kind }, lane) => (kind === "node" ? [lane] : []));
  const step = 26 / Math.max(1, nodes.length);
  const bars = data.bars.map(({ lane, fromMs, untilMs }) => {
    const x = toX(all, fromMs);
    const box = { x, y: 4 + nodes.indexOf(lane) * step, width: Math.max(1.5, toX(all, untilMs) - x) };
    return shape("rect", `bar ${layout.rows[lane]?.colour}`, { ...box, height: step - 1 });
  });
  const marks = ["fault", "refused", "slipped", "broken"].map((name) => {
    const events = data.events.filter(([, , sign]) => data.signs[sign]?.sign === name);
    const places = new Set(events.map(([ms]) => Math.round(toX(all, ms))));
    return shape("path", `tiny ${name}`, { d: [...places].map((x) => `M${x} 31v7`).join("") });
  });
  const x = toX(all, view.fromMs);
  const box = { x, y: 1, width: Math.max(4, toX(all, view.untilMs) - x), height: 38, rx: 3 };
  show(into, [...bars, ...marks, shape("rect", "window", box)]);
}
