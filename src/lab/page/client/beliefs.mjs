// Bars of belief, what the world did to a party, and instants at which two believed. Pure.

import { inSight, toX } from "./geometry.mjs";
import { fitting, shape } from "./layout.mjs";
import { deadlineAt } from "./search.mjs";

/** @import { PageData } from "../data.js" */
/** @import { View } from "./geometry.mjs" */
/** @import { Layout, Shape } from "./layout.mjs" */

const barTop = 17;
const barHeight = 22;

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
 * What the world did, behind everything else.
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function spanShapes(data, view, { rows }) {
  return data.spans.flatMap(({ lane, kind, fromMs, untilMs, state, text }) => {
    const { top: y = 0, height = 0 } = rows[lane] ?? {};
    const place = across(view, fromMs, untilMs);
    if (place === undefined) return [];
    const title = `${state} ${text}`;
    return [
      shape("rect", `harm ${kind}`, { ...place, y, height }),
      shape("rect", `harm-hatch ${kind}`, { ...place, y, height, fill: `url(#h-${kind})` }, { title }),
      shape(
        "text",
        "harm-name",
        { x: place.x + 4, y: y + height - 5 },
        { text: fitting(place.width - 8, [state, kind]) },
      ),
    ];
  });
}

/**
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function barShapes(data, view, { rows }) {
  return data.bars.flatMap(({ lane, token, fromMs, untilMs, settledMs, deadlines, doubts, text: title }) => {
    const { top = 0, colour = "" } = rows[lane] ?? {};
    const y = top + barTop;
    const box = { y, height: barHeight };
    const shapes = [];
    const settling = across(view, untilMs, settledMs);
    if (settledMs > untilMs && settling !== undefined) {
      shapes.push(shape("rect", `drain ${colour}`, { ...settling, y: y + 8, height: 6 }, { title }));
    }
    const place = across(view, fromMs, untilMs, 3);
    if (place === undefined) return shapes;
    shapes.push(shape("rect", `bar ${colour}`, { rx: 3, ...place, ...box }, { title }));
    for (const [from, until] of doubts) {
      const doubt = across(view, from, until);
      if (doubt !== undefined)
        shapes.push(shape("rect", "doubt", { ...doubt, ...box, fill: "url(#h-doubt)" }, { title }));
    }
    const ends = deadlines.slice(1).flatMap(([ms]) => (inSight(view, ms) ? toX(view, ms) : []));
    // One tick a renewal, as long as they can be told apart.
    if (ends.length * 8 < place.width) {
      shapes.push(shape("path", "extension", { d: ends.map((x) => `M${x} ${y + barHeight}v-6`).join("") }));
    }
    const text = fitting(place.width - 10, [`token ${token}`, `${token}`]);
    return [...shapes, shape("text", `bar-name ${colour}`, { x: place.x + 6, y: y + 15 }, { text })];
  });
}

/**
 * Red across the lanes of both, and everything between them.
 * @param {PageData} data
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function overlapShapes(data, view, layout) {
  return data.overlaps.flatMap(({ lanes, fromMs, untilMs, text }) => {
    const rows = lanes.flatMap((lane) => layout.rows[lane] ?? []);
    const place = across(view, fromMs, untilMs, 3);
    if (place === undefined) return [];
    const y = Math.min(...rows.map(({ top }) => top));
    const height = Math.max(...rows.map((row) => row.top + row.height)) - y;
    const onLeft = place.x + place.width > view.right - 160;
    const at = onLeft ? { x: place.x - 10, "text-anchor": "end" } : { x: place.x + place.width + 10 };
    return [
      shape("rect", "overlap", { ...place, y, height }, { title: text }),
      shape("text", "overlap-name", { ...at, y: y + 11 }, { text }),
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
export function promiseShapes(data, view, { rows }, ms) {
  return data.bars.flatMap((bar) => {
    const deadline = deadlineAt(bar, ms);
    const place = deadline === undefined ? undefined : across(view, ms, deadline);
    if (place === undefined) return [];
    const y = (rows[bar.lane]?.top ?? 0) + barTop + barHeight + 4;
    return [shape("path", "promise", { d: `M${place.x} ${y}h${place.width}m0 -5v10` })];
  });
}
