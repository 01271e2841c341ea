// An event as a row: when, which sign, who, what. Text is set as text.

import { svgElement } from "./elements.mjs";
import { inSeconds } from "./search.mjs";

/** @import { Event, PageData } from "../data.js" */

/**
 * @typedef {{ readonly data: PageData, readonly colours: readonly string[] }} Run
 */

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
 * @param {Run} run
 * @param {Event} event
 * @param {string} [when] instead of its instant
 */
export function rowOf({ data, colours }, [atMs, lane, number, text, by], when = inSeconds(atMs)) {
  const sign = data.signs[number] ?? "";
  const row = document.createElement("li");
  const picture = svgElement("svg");
  picture.setAttribute("class", `sign mark ${sign} ${colours[by] ?? colours[lane]}`);
  picture.setAttribute("viewBox", "-8 -8 16 16");
  picture.setAttribute("aria-hidden", "true");
  const use = svgElement("use");
  use.setAttribute("href", `#s-${sign}`);
  picture.append(use);
  const name = make("b", "", data.lanes[lane]?.name ?? "");
  row.append(make("span", "when", when), picture, name, make("span", `what ${sign}`, text));
  return row;
}
