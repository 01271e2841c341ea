/** What the contract of journals needs of the package, from the build: so it runs without a compiler. */

import assert from "node:assert/strict";

/** @type {unknown} */
const built = await import(new URL("../../dist/fence/sequence.js", import.meta.url).href);
export const { createSequence } = /** @type {typeof import("../../src/fence/sequence.js")} */ (built);

/** @param {Partial<import("../../src/fence/fence.js").Fence>} change */
export function fence(change = {}) {
  const names = { namespace: "default", election: "invoices", lineage: "default/lease" };
  return { v: /** @type {const} */ (1), ...names, token: 7, owner: "a", ...change };
}

/**
 * @typedef {object} Carried what the errors of the library carry
 * @property {string} [code]
 * @property {number} [watermark]
 * @property {number} [upTo]
 * @property {import("../../src/fence/fence.js").Attempt} [attempt]
 *
 * @typedef {Error & Carried} Rejected
 */

/** @param {Promise<unknown>} promise */
export async function rejection(promise) {
  return promise.then(
    (value) => assert.fail(`resolved with ${JSON.stringify(value)}`),
    (/** @type {unknown} */ error) => /** @type {Rejected} */ (error),
  );
}
