// The fixed elements of the page, by id. The page and its script are made together: one that is missing is an error.

/** @import { Shape } from "./layout.mjs" */

/**
 * @template {Element} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${kind.name} "${id}"`);
}

/**
 * The one place where shapes become elements. Text is set as text, so nothing in a history can be markup.
 * @param {Shape} shape
 * @returns {SVGElement}
 */
export function elementOf({ tag, attributes, text, title }) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? String(Math.round(value * 10) / 10) : value);
  }
  if (text !== undefined) element.textContent = text;
  if (title !== undefined) {
    element.append(elementOf({ tag: "title", attributes: {}, text: title }));
  }
  return element;
}
