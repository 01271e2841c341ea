/**
 * The set in a database: one row that holds it whole, and a row beside it for every write.
 *
 * A write changes the one and appends the other in one transaction. Whoever appends holds the lock of the
 * row, so the numbers of what was appended are in the order of the commits.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Clients of databases answer large numbers as text.
 *
 * @typedef {object} Appended
 * @property {number | string} number
 * @property {string} element
 * @property {number | string} token
 * @property {string} elements
 */

export const statements = {
  read: "SELECT elements FROM torture_set WHERE id = 1",
  write: "UPDATE torture_set SET elements = ? WHERE id = 1",
  append: "INSERT INTO torture_log (element, token, elements) VALUES (?, ?, ?)",
  appended: "SELECT number, element, token, elements FROM torture_log ORDER BY number",
};

/** @param {string} path */
function dumpIn(path) {
  return join(path, "tables.json");
}

/**
 * What the tables hold, as the verdict reads it.
 *
 * @param {string} path
 * @param {{ readonly elements: string, readonly log: readonly Readonly<Record<keyof Appended, unknown>>[] }} tables
 */
export async function writeTables(path, { elements, log }) {
  await writeFile(dumpIn(path), `${JSON.stringify({ elements, log }, undefined, 1)}\n`);
}

/**
 * @param {string} path
 * @returns {Promise<import("./place.mjs").Found>}
 */
export async function readTables(path) {
  const dump = /** @type {{ elements: string, log: readonly Appended[] }} */ (
    JSON.parse(await readFile(dumpIn(path), "utf8"))
  );
  return {
    set: parsed(dump.elements),
    versions: dump.log.map(({ number, token, elements }) => ({
      number: Number(number),
      token: Number(token),
      set: parsed(elements),
    })),
    appended: dump.log.map(({ element }) => element),
  };
}

/**
 * @param {unknown} elements
 * @returns {readonly string[]}
 */
export function parsed(elements) {
  return /** @type {readonly string[]} */ (JSON.parse(String(elements)));
}
