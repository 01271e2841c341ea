/** The SQLite file of a run; as a program, `make` and `dump`: what the harness cannot do if its Node.js has no SQLite. */

import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { statements, writeTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/sqlite").SqliteDatabase & { close(): void }} Database */

const schema = [
  "CREATE TABLE torture_set (id INTEGER PRIMARY KEY, elements TEXT NOT NULL)",
  "INSERT INTO torture_set VALUES (1, '[]')",
  `CREATE TABLE torture_log (number INTEGER PRIMARY KEY AUTOINCREMENT, element TEXT NOT NULL,
  token INTEGER NOT NULL, elements TEXT NOT NULL)`,
];

/**
 * @param {string} file
 * @returns {Promise<Database>}
 */
export async function openDatabase(file) {
  // A name that the type checker does not look up: the types are those of Node.js 20.
  const name = "node:sqlite";
  const { DatabaseSync } = /** @type {{ DatabaseSync: new (file: string) => Database }} */ (
    await import(name)
  );
  const database = new DatabaseSync(file);
  database.exec("PRAGMA synchronous = FULL");
  return database;
}

/** @param {string} path */
async function make(path) {
  const database = await openDatabase(join(path, "set.sqlite"));
  database.exec("PRAGMA journal_mode = WAL");
  for (const text of schema) database.exec(text);
  database.close();
}

/** @param {string} path */
async function dump(path) {
  const database = await openDatabase(join(path, "set.sqlite"));
  const [row] = database.prepare(statements.read).all();
  const log = database.prepare(statements.appended).all();
  await writeTables(path, {
    elements: /** @type {{ elements: string }} */ (row).elements,
    log: /** @type {readonly import("./tables.mjs").Appended[]} */ (log),
  });
  database.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , verb, path = ""] = process.argv;
  await (verb === "make" ? make(path) : dump(path));
}
