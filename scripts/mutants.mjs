// Mutants: edits of the sources that each break one rule, kept as data in mutants/.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {number | string} rule a number of docs/safety.md, or the name of another promise
 * @property {string} file
 * @property {string} find occurs exactly once in the file
 * @property {string} replace
 * @property {string} breaks one sentence
 * @property {{ file: string, title: string }} [test] that turns red, where no case does
 */

/**
 * @param {string} root of the repository
 * @returns {readonly Mutant[]} in the order of their rules
 */
export function readMutants(root) {
  const names = readdirSync(join(root, "mutants")).filter((name) => name.endsWith(".json"));
  const mutants = names.map((name) => {
    const mutant = /** @type {Mutant} */ (JSON.parse(readFileSync(join(root, "mutants", name), "utf8")));
    if (name !== `${mutant.id}.json`) throw new Error(`mutants/${name} must have the id of its name`);
    return mutant;
  });
  return mutants.toSorted((a, b) => key(a).localeCompare(key(b), "en"));
}

/**
 * @param {Mutant} mutant
 * @returns {string}
 */
function key({ rule, id }) {
  return `${typeof rule === "number" ? String(rule).padStart(2, "0") : rule} ${id}`;
}

/**
 * @param {Mutant} mutant
 * @param {string} text of its file
 * @returns {string} the text with the rule broken
 */
export function applyMutant({ id, file, find, replace }, text) {
  const found = text.split(find).length - 1;
  if (found !== 1)
    throw new Error(`${id}: "find" must occur exactly once in ${file}, it occurs ${found} times`);
  return text.split(find).join(replace);
}

/**
 * @param {string} path
 * @returns {string} what stands in the evidence for this very content
 */
export function hashOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}
