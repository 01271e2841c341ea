/**
 * The set in a SQLite file, through `node:sqlite`, which takes Node.js 22.
 *
 * Both forms use the same tables and statements, a write-ahead log and `synchronous = FULL`.
 */

import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sqliteGuard } from "tenure/fence/sqlite";
import { locateSqliteNode } from "../../test/servers/sqlite-node.mjs";
import { WriteFailure, resource } from "./place.mjs";
import { openDatabase } from "./sqlite-file.mjs";
import { parsed, readTables, statements } from "./tables.mjs";

/** @typedef {import("./sqlite-file.mjs").Database} Database */
/** @typedef {import("tenure/fence/sqlite").SqliteHandle<Database>} Handle */

const program = fileURLToPath(new URL("sqlite-file.mjs", import.meta.url));
const run = promisify(execFile);

/** @type {import("./place.mjs").SetPlace} */
export const sqlitePlace = {
  about: "in a SQLite file",
  faults: ["inside", "double"],
  async open(_form, path) {
    await mkdir(path);
    const execPath = await locateSqliteNode();
    await run(execPath, ["--no-warnings", program, "make", path]);
    return {
      execPath,
      environment: () => ({}),
      cut: undefined,
      collect: async () => void (await run(execPath, ["--no-warnings", program, "dump", path])),
      close: async () => {},
    };
  },
  async enterFenced(path) {
    const database = await openDatabase(join(path, "set.sqlite"));
    return {
      guard: sqliteGuard(database, { resource, create: true }),
      read: (/** @type {Handle} */ handle) => handle.read(readSet),
      write: (/** @type {Handle} */ handle, change, options) =>
        handle.transaction((one) => writeSet(one, change), options),
      close: async () => database.close(),
    };
  },
  async enterPlain(path) {
    const database = await openDatabase(join(path, "set.sqlite"));
    return {
      read: async () => readSet(database),
      write: (change) => writePlain(database, change),
      close: async () => database.close(),
    };
  },
  read: (_form, path) => readTables(path),
};

/** @param {Database} database */
function readSet(database) {
  const [row] = database.prepare(statements.read).all();
  return parsed(/** @type {{ elements: string }} */ (row).elements);
}

/**
 * @param {Database} database
 * @param {import("./place.mjs").Change} change
 */
function writeSet(database, { next, element, token, inside }) {
  const elements = JSON.stringify(next);
  database.prepare(statements.write).run(elements);
  inside();
  database.prepare(statements.append).run(element, token, elements);
}

const busy = 5;
/** As the guard waits: with awaits, so that the process goes on. */
const pauseMs = 10;

/**
 * @param {Database} database
 * @param {import("./place.mjs").Change} change
 */
async function writePlain(database, change) {
  while (!begin(database)) await pause(pauseMs);
  try {
    writeSet(database, change);
    database.exec("COMMIT");
  } catch (cause) {
    // It did not commit; with a disk that works, nobody has to wonder.
    database.exec("ROLLBACK");
    throw new WriteFailure("definite", cause);
  }
}

/** @param {Database} database */
function begin(database) {
  try {
    database.exec("BEGIN IMMEDIATE");
    return true;
  } catch (cause) {
    if (/** @type {{ errcode?: number }} */ (cause).errcode === busy) return false;
    throw new WriteFailure("definite", cause);
  }
}
