// The fixed elements of the page, by id. The page and its script are made together: one that is missing is an error.

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

/** @param {string} tag */
export function svgElement(tag) {
  return document.createElementNS("http://www.w3.org/2000/svg", tag);
}
