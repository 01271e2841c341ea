// Where the lanes stand, their names and the axis. Pure: shapes are plain data, see draw.mjs.

import { ticks, toX } from "./geometry.mjs";

/** @import { Lane } from "../data.js" */
/** @import { View } from "./geometry.mjs" */

/**
 * An element of SVG. Text is text, never markup.
 * @typedef {{ readonly tag: string, readonly attributes: Readonly<Record<string, string | number>>,
 *   readonly text?: string, readonly title?: string }} Shape
 */

/**
 * @param {string} tag
 * @param {string} name its class
 * @param {Readonly<Record<string, string | number>>} place
 * @param {{ readonly text?: string, readonly title?: string }} [words]
 * @returns {Shape}
 */
export function shape(tag, name, place, words) {
  return { tag, attributes: { class: name, ...place }, ...words };
}

/** @typedef {{ readonly top: number, readonly height: number, readonly colour: string }} Row */
/** @typedef {{ readonly left: number, readonly width: number, readonly height: number,
 *   readonly narrow: boolean, readonly rows: readonly Row[] }} Layout */

const laneHeights = { world: 46, node: 56, store: 42, resource: 58 };
const axisHeight = 26;
const nameHeight = 20;
const gutter = 184;
/** Width of a letter, with some air. */
export const letterPx = 7;

/**
 * Names stand beside the lanes, or above them where the window is narrow.
 * @param {readonly Lane[]} lanes
 * @param {number} width
 * @returns {Layout}
 */
export function layoutOf(lanes, width) {
  const narrow = width < 640;
  let top = axisHeight;
  const rows = lanes.map(({ kind, colour }) => {
    if (narrow) top += nameHeight;
    const row = { top, height: laneHeights[kind], colour };
    top += row.height + 4;
    return row;
  });
  return { left: narrow ? 4 : gutter, width, height: top + 4, narrow, rows };
}

/**
 * The first text that has its place; "" when none has.
 * @param {number} px
 * @param {readonly string[]} texts
 */
export function fitting(px, texts) {
  return texts.find(({ length }) => length * letterPx <= px) ?? "";
}

/**
 * @param {readonly Lane[]} lanes
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function laneShapes(lanes, { left, width, narrow, rows }) {
  return rows.flatMap(({ top, height, colour }, index) => {
    const { name = "", note = "", kind = "world" } = lanes[index] ?? {};
    const band = { x: narrow ? 0 : left, y: top, width: width - (narrow ? 0 : left), height, rx: 4 };
    const [x, y] = narrow ? [4, top - 6] : [12, top + 20];
    // Names are in letters that are a third wider.
    const shown = clipped(name, 0.75 * (narrow ? width / 2 : left - 18));
    const beside = narrow ? { x: 14 + shown.length * 9.3, y } : { x, y: y + 15 };
    const shownNote = clipped(note, narrow ? width - beside.x : left - 18);
    const stripe = { x: narrow ? 0 : left - 4, y: top, width: 4, height, rx: 2 };
    const shapes = [
      shape("rect", `lane ${kind}`, band),
      shape("text", "name", { x, y }, { text: shown, title: `${name}: ${note || kind}` }),
      shape("text", "note", beside, { text: shownNote, title: note }),
    ];
    if (kind === "node") shapes.push(shape("rect", `stripe ${colour}`, stripe));
    return shapes;
  });
}

/**
 * @param {string} text
 * @param {number} px
 */
function clipped(text, px) {
  return fitting(px, [text, `${text.slice(0, Math.max(1, px / letterPx - 1))}…`]);
}

/**
 * @param {View} view
 * @param {Layout} layout
 * @returns {Shape[]}
 */
export function axisShapes(view, { height }) {
  return ticks(view, 84).flatMap(({ ms, label }) => {
    const x = toX(view, ms);
    // A label at either edge would be cut in half.
    const edge = x < view.left + 24 ? "start" : x > view.right - 24 ? "end" : "middle";
    return [
      shape("path", "grid", { d: `M${x} ${axisHeight - 4}V${height}` }),
      shape("text", "tick", { x, y: 15, "text-anchor": edge }, { text: label }),
    ];
  });
}
