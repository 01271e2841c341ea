// Bars of belief, what the world did to a party, and instants at which two believed. Pure.

import { toX } from "./geometry.mjs";
import { fits, shape } from "./layout.mjs";
import { deadlineAt, inSeconds } from "./search.mjs";

/** @import { Bar, PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Row, Shape } from "./layout.mjs" */

export const barTop = 17;
export const barHeight = 22;

/**
 * Left edge and width of a time in the view, undefined when it is out of sight. Never too thin to be seen.
 * @param {View} view
 * @param {number} fromMs
 * @param {number} untilMs
 * @param {number} [leastPx]
 */
function across(view, fromMs, untilMs, leastPx = 1.5) {
  if (untilMs < view.fromMs || fromMs > view.untilMs) return undefined;
  const x = Math.max(view.left, toX(view, fromMs));
  return { x, width: Math.max(leastPx, Math.min(view.right, toX(view, untilMs)) - x) };
}

/**
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function spanShapes(data, view, layout) {
  return data.spans.flatMap(({ lane, kind, fromMs, untilMs, state, text }) => {
    const row = layout.rows[lane];
    const place = across(view, fromMs, untilMs);
    if (row === undefined || place === undefined) return [];
    const title = `${inSeconds(fromMs)} to ${inSeconds(untilMs)}: ${state}. ${text}`;
    const box = { ...place, y: row.top, height: row.height };
    const shapes = [
      shape("rect", `harm ${kind}`, { ...box }, { title }),
      shape("rect", `harm-hatch ${kind}`, { ...box, fill: `url(#h-${kind})` }, { title }),
    ];
    const label = fits(state, place.width - 8) ? state : kind;
    if (fits(label, place.width - 8)) {
      const at = { x: place.x + 4, y: row.top + row.height - 5 };
      shapes.push(shape("text", "harm-name", { ...at }, { text: label }));
    }
    return shapes;
  });
}

/**
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function barShapes(data, view, layout) {
  return data.bars.flatMap((bar) => {
    const row = layout.rows[bar.lane];
    const place = across(view, bar.fromMs, bar.untilMs, 3);
    if (row === undefined) return [];
    const drain = drainShapes(bar, view, row);
    if (place === undefined) return drain;
    const box = { y: row.top + barTop, height: barHeight };
    const title = `token ${bar.token}: believes from ${inSeconds(bar.fromMs)} to ${inSeconds(bar.untilMs)}. End: ${bar.end}`;
    const shapes = [shape("rect", `bar ${row.colour}`, { rx: 3, ...place, ...box }, { title })];
    for (let index = 0; index < bar.doubts.length; index += 2) {
      const doubt = across(view, bar.doubts[index] ?? 0, bar.doubts[index + 1] ?? 0);
      if (doubt === undefined) continue;
      shapes.push(shape("rect", "doubt", { fill: "url(#h-doubt)", ...doubt, ...box }, { title }));
    }
    const label = [`token ${bar.token}`, `${bar.token}`].find((text) => fits(text, place.width - 10));
    if (label !== undefined) {
      const at = { x: place.x + 6, y: row.top + barTop + 15 };
      shapes.push(shape("text", "bar-name", { ...at }, { text: label }));
    }
    return [...shapes, ...extensionShapes(bar, view, row), ...drain];
  });
}

/**
 * One tick a renewal, as long as they can be told apart.
 * @param {Bar} bar
 * @param {View} view
 * @param {Row} row
 * @returns {Shape[]}
 */
function extensionShapes(bar, view, row) {
  const instants = bar.deadlines.filter((_, index) => index % 2 === 0 && index > 0);
  const shown = instants.filter((ms) => view.fromMs <= ms && ms <= view.untilMs);
  if (shown.length * 5 > view.right - view.left) return [];
  const y2 = row.top + barTop + barHeight;
  return shown.map((ms) => {
    const x = toX(view, ms);
    return shape("line", "extension", { x1: x, x2: x, y1: y2 - 6, y2 });
  });
}

/**
 * @param {Bar} bar
 * @param {View} view
 * @param {Row} row
 * @returns {Shape[]}
 */
function drainShapes({ untilMs, drainedMs }, view, row) {
  const place = drainedMs === null ? undefined : across(view, untilMs, drainedMs);
  if (place === undefined || drainedMs === null) return [];
  const title = `leads no more; its work has settled at ${inSeconds(drainedMs)}`;
  const box = { ...place, y: row.top + barTop + barHeight / 2 - 3, height: 6 };
  return [shape("rect", `drain ${row.colour}`, { ...box }, { title })];
}

/**
 * Red across the lanes of both, and everything between them.
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function overlapShapes(data, view, layout) {
  return data.overlaps.flatMap(({ lanes, fromMs, untilMs }) => {
    const rows = lanes.flatMap((lane) => layout.rows[lane] ?? []);
    const place = across(view, fromMs, untilMs, 3);
    if (place === undefined) return [];
    const y = Math.min(...rows.map(({ top }) => top));
    const height = Math.max(...rows.map((row) => row.top + row.height)) - y;
    const label = `two leaders for ${Number((untilMs - fromMs).toFixed(3))} ms`;
    const title = `${inSeconds(fromMs)} to ${inSeconds(untilMs)}: ${label}`;
    const left = place.x + place.width / 2 > view.right - 90;
    const [anchor, x] = left ? ["end", place.x - 4] : ["start", place.x + place.width + 4];
    return [
      shape("rect", "overlap", { ...place, y, height }, { title }),
      shape("text", "overlap-name", { x, y: y + 11, "text-anchor": anchor }, { text: label }),
    ];
  });
}

/**
 * The promise at the cursor: from this instant to the deadline that was known then.
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @param {number} ms
 * @returns {Shape[]}
 */
export function promiseShapes(data, view, layout, ms) {
  return data.bars.flatMap((bar) => {
    const deadline = deadlineAt(bar, ms);
    const row = layout.rows[bar.lane];
    const place = deadline === undefined ? undefined : across(view, ms, deadline);
    if (row === undefined || place === undefined) return [];
    const y = row.top + barTop + barHeight + 4;
    const [x, end] = [place.x, place.x + place.width];
    return [shape("path", "promise", { d: `M${x} ${y}H${end}M${end} ${y - 5}v10` })];
  });
}
