/** What the contract of journals is made of. What it needs of the package comes from the build, so it runs without a compiler. */

import assert from "node:assert/strict";

/** @type {unknown} */
const built = await import(new URL("../../dist/fence/sequence.js", import.meta.url).href);
const { createSequence } = /** @type {typeof import("../../src/fence/sequence.js")} */ (built);

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

/** A term, whose handles share one allocator. @param {number} token */
export function term(token, owner = `owner-${token}`) {
  /** @type {number[]} */
  const outpacedBy = [];
  /** @type {Map<string, import("../../src/fence/fence.js").Sequence>} */
  const sequences = new Map();
  return {
    fence: fence({ token, owner }),
    outpacedBy,
    /** @param {number} watermark */
    outpaced: (watermark) => void outpacedBy.push(watermark),
    /** @param {string} name */
    sequence(name) {
      const known = sequences.get(name) ?? createSequence(name);
      sequences.set(name, known);
      return known;
    },
  };
}

/**
 * @param {number} from
 * @param {number} to
 */
export function range(from, to) {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Appends `from` to `to`, each as an operation of its own.
 *
 * @param {import("./contract.mjs").Handle} handle
 * @param {number} from
 * @param {number} to
 */
export async function appendAll(handle, from, to) {
  for (let n = from; n <= to; n += 1) await handle.append({ n }, { opId: `op-${n}` });
}

/** @param {{ readonly entries: readonly import("./contract.mjs").Placed[] }} replay */
export function numbers({ entries }) {
  return entries.map(({ entry }) => entry.n);
}

/** @param {AsyncIterable<import("./contract.mjs").Placed>} iteration */
export async function collect(iteration, most = Infinity) {
  /** @type {import("./contract.mjs").Placed[]} */
  const entries = [];
  for await (const entry of iteration) {
    entries.push(entry);
    if (entries.length >= most) break;
  }
  return entries;
}

/** @param {Promise<unknown>} promise @param {string} code */
export async function rejects(promise, code) {
  const error = await rejection(promise);
  assert.equal(error.code, code, String(error));
  return error;
}
