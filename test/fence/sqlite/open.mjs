/** Opens a file by node:sqlite, or by better-sqlite3 from a path. */

/**
 * @typedef {import("../../../src/fence/sqlite/index.js").SqliteDatabase & { close(): unknown }} Database
 * @typedef {new (file: string, options?: object) => Database} Opens
 */

/**
 * @param {string} path
 * @param {string} file
 * @returns {Promise<Database>}
 */
export async function open(path, file) {
  /** @type {unknown} */
  const module = await import(path);
  const { default: better, DatabaseSync } = /** @type {{ default: Opens, DatabaseSync?: Opens }} */ (module);
  // better-sqlite3 would wait for locks inside, and stop the process meanwhile.
  return DatabaseSync === undefined ? new better(file, { timeout: 0 }) : new DatabaseSync(file);
}
