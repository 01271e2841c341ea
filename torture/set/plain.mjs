/**
 * The set in a plain file.
 *
 * Fair: the file is always whole and never missing, since each write goes to a file of its own
 * that then takes the other's place. So nothing but a write that is based on an old reading can
 * lose an element.
 */

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freshId } from "../../dist/base/random.js";

/** @param {string} path */
function fileIn(path) {
  return join(path, "set.json");
}

/**
 * @param {string} path
 * @param {readonly string[]} set
 */
export async function writePlainSet(path, set) {
  const temporary = join(path, `temporary-${freshId()}`);
  await writeFile(temporary, JSON.stringify(set));
  await rename(temporary, fileIn(path));
}

/**
 * @param {string} path
 * @returns {Promise<readonly string[]>}
 */
export async function readPlainSet(path) {
  return /** @type {readonly string[]} */ (JSON.parse(await readFile(fileIn(path), "utf8")));
}

/**
 * @param {string} path
 * @param {import("../workloads.mjs").TermWork} work
 * @returns {(leadership: import("tenure").Leadership) => Promise<void>}
 */
export function leadPlain(path, work) {
  /** @type {import("../workloads.mjs").Held} */
  const held = {
    async prepare(element) {
      const before = await readPlainSet(path);
      return {
        saw: { size: before.length, last: before.at(-1) ?? null },
        write: () => writePlainSet(path, [...before, element]),
      };
    },
  };
  return (leadership) => work(held, leadership);
}
