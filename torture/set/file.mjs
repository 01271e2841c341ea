/**
 * The set in a directory.
 *
 * Behind the file guard every version stays, so that the verdict can read each write as it was
 * applied. Without it, a plain file, and a fair one: it is always whole and never missing, since each write
 * goes to a file of its own that then takes the other's place. So nothing but a write that is based on
 * an old reading can lose an element.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileGuard } from "tenure/fence/file";
import { freshId } from "../../dist/base/random.js";
import { readKeptVersions } from "../../dist/fence/file/kept-versions.js";
import { resource } from "./place.mjs";

/** @typedef {import("tenure/fence/file").ValueHandle<readonly string[]>} Handle */

const nothing = async () => {};

/** @type {import("./place.mjs").SetPlace} */
export const filePlace = {
  about: "in a directory",
  faults: [],
  async open(form, path) {
    await mkdir(path);
    if (form === "unfenced") await writePlainSet(path, []);
    return { execPath: undefined, environment: () => ({}), cut: undefined, collect: nothing, close: nothing };
  },
  async enterFenced(path) {
    const initial = /** @type {readonly string[]} */ ([]);
    const guard = fileGuard(path, { resource, initial, keepVersions: Number.POSITIVE_INFINITY });
    return {
      guard,
      read: (/** @type {Handle} */ handle) => handle.read(),
      write: (/** @type {Handle} */ handle, { next }, options) =>
        handle.transaction((transaction) => {
          transaction.value = next;
        }, options),
      close: nothing,
    };
  },
  enterPlain: async (path) => ({
    read: () => readPlainSet(path),
    write: ({ next }) => writePlainSet(path, next),
    close: nothing,
  }),
  async read(form, path) {
    if (form === "unfenced")
      return { set: await readPlainSet(path), versions: undefined, appended: undefined };
    const versions = await readVersions(path);
    return { set: versions.at(-1)?.set ?? [], versions, appended: undefined };
  },
};

/**
 * Pure reading: no claim, no guard.
 *
 * @param {string} path
 * @returns {Promise<readonly import("./place.mjs").Version[]>}
 */
async function readVersions(path) {
  const kept = await readKeptVersions(path, resource);
  if ((kept[0]?.number ?? 1) !== 1) throw new Error(`the versions begin with number ${kept[0]?.number}`);
  return kept.map(({ number, body }) => {
    const row = typeof body === "string" ? undefined : body.fencing.rows[0]?.row;
    if (typeof body === "string" || row === undefined) return { number, token: 0, set: undefined };
    const set = body.value === undefined ? [] : /** @type {readonly string[]} */ (JSON.parse(body.value));
    return { number, token: row.watermark, set };
  });
}

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
