// An event as a row: when, which sign, who, what. Text is set as text.

import { elementOf } from "./elements.mjs";
import { shape } from "./layout.mjs";
import { inSeconds } from "./search.mjs";

/** @import { Event, PageData } from "../data.js" */

/**
 * @param {string} tag
 * @param {string} name its class
 * @param {string} text
 */
export function make(tag, name, text) {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

/**
 * @param {PageData} data
 * @param {Event} event
 * @param {string} [when] instead of its instant
 */
export function rowOf(data, [atMs, lane, number, text, by], when = inSeconds(atMs)) {
  const sign = data.signs[number]?.sign ?? "";
  const who = data.lanes[lane];
  const row = document.createElement("li");
  const colour = (data.lanes[by] ?? who)?.colour;
  const hidden = { viewBox: "-8 -8 16 16", "aria-hidden": "true" };
  const picture = elementOf(shape("svg", `sign mark ${sign} ${colour}`, hidden));
  picture.append(elementOf(shape("use", "", { href: `#s-${sign}` })));
  const name = make("b", "", who?.name ?? "");
  row.append(make("span", "when", when), picture, name, make("span", `what ${sign}`, text));
  return row;
}
