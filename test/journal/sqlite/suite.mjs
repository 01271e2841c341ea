/**
 * The contract of journals, and what is particular to SQLite, under the Node.js that has node:sqlite. Needs the build.
 *
 *   node suite.mjs node:sqlite
 *   node suite.mjs <path of better-sqlite3>
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import { open as openDatabase } from "../../fence/sqlite/open.mjs";
import { journalContract } from "../contract.mjs";
import { expectSuccession } from "../succession.mjs";
import { fence, rejection } from "../terms.mjs";

const [path = ""] = process.argv.slice(2);

/** @type {unknown} */
const built = await import(new URL("../../../dist/journal/sqlite/index.js", import.meta.url).href);
const { sqliteJournal, sqliteJournalSchema } =
  /** @type {typeof import("../../../src/journal/sqlite/index.js")} */ (built);

/**
 * @typedef {import("../../fence/sqlite/open.mjs").Database} Database
 * @typedef {import("../contract.mjs").Entry} Entry
 * @typedef {import("../contract.mjs").State} State
 * @typedef {import("../../../src/journal/sqlite/index.js").SqliteJournalOptions} Options
 */

/**
 * @param {Database} database
 * @param {Partial<Options>} options
 * @returns {import("../../../src/journal/sqlite/index.js").SqliteJournal<Database, Entry, State>}
 */
function journalIn(database, options = {}) {
  return sqliteJournal(database, { resource: "log", create: true, ...options });
}

class Scene {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "tenure-journal-"));
    this.file = join(this.folder, "data.db");
    /** @type {Database[]} */
    this.opened = [];
  }

  /** @returns {Promise<Database>} */
  async database() {
    const database = await openDatabase(path, this.file);
    this.opened.push(database);
    return database;
  }

  close() {
    for (const database of this.opened) database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A disk error at the next commit, which is carried out all the same. */
class Breakable {
  isArmed = false;

  /** @param {Database} database */
  of(database) {
    const exec = database.exec.bind(database);
    return Object.assign(database, {
      exec: (/** @type {string} */ text) => {
        const done = exec(text);
        if (text !== "COMMIT" || !this.isArmed) return done;
        this.isArmed = false;
        throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC", errcode: 1_034 });
      },
    });
  }
}

// Each of the two ways in which SQLite keeps what it may have to undo, under one of the two clients.
const mode = path === "node:sqlite" ? "WAL" : "DELETE";

journalContract({
  describe: (title, body) => void describe(title, body),
  it: (title, body) => void it(title, body),
  name: `sqlite, through ${path}, journal_mode ${mode}`,
  async open() {
    const scene = new Scene();
    const disk = new Breakable();
    const database = disk.of(await scene.database());
    database.exec(`PRAGMA journal_mode = ${mode}`);
    return {
      open: (limits = {}) => journalIn(database, limits),
      loseReply: () => void (disk.isArmed = true),
      async damage(index) {
        database.exec(`DELETE FROM tenure_journal_entry WHERE idx = ${index}`);
      },
      close: async () => scene.close(),
    };
  },
});

/** @param {(scene: Scene, database: Database) => Promise<void>} work */
async function inScene(work) {
  const scene = new Scene();
  try {
    await work(scene, await scene.database());
  } finally {
    scene.close();
  }
}

/** @param {Database} database */
function ledger(database) {
  const rows = /** @type {{ value: string }[]} */ (
    database.prepare("SELECT value FROM ledger ORDER BY n").all()
  );
  return rows.map(({ value }) => value);
}

const createLedger = "CREATE TABLE ledger (n INTEGER PRIMARY KEY, value TEXT)";

void test("when a transaction writes and appends, both are there or neither, and a successor that repeats it does neither", async () => {
  await inScene(async (_, database) => {
    database.exec(createLedger);
    const write = "INSERT INTO ledger (value) VALUES (?)";
    const handle = await journalIn(database).claim(fence());
    const reason = new Error("the work failed");
    const failed = handle.transaction((tx, journal) => {
      tx.prepare(write).run("half");
      journal.append({ n: 1 }, { opId: "invoice-1" });
      throw reason;
    });
    assert.equal(await rejection(failed), reason);
    assert.deepEqual(ledger(database), []);
    /** @param {typeof handle} by */
    const pay = async (by) =>
      by.transaction((tx, journal) => {
        const appended = journal.append({ n: 1 }, { opId: "invoice-1" });
        if (!appended.duplicate) tx.prepare(write).run("paid");
        return appended;
      });
    assert.deepEqual(await pay(handle), { index: 1, duplicate: false });
    const successor = await journalIn(database).claim(fence({ token: 8, owner: "b" }));
    assert.deepEqual(await pay(successor), { index: 1, duplicate: true });
    assert.equal((await rejection(pay(handle))).code, "STALE");
    assert.deepEqual(ledger(database), ["paid"]);
    assert.equal((await successor.replay()).entries.length, 1);
  });
});

void test("when what a transaction appends with is used afterwards, nothing is appended", async () => {
  await inScene(async (_, database) => {
    const handle = await journalIn(database).claim(fence());
    /** @type {import("../../../src/journal/sqlite/index.js").SqliteJournalTransaction<Entry> | undefined} */
    let kept;
    await handle.transaction((_, journal) => void (kept = journal));
    assert.throws(() => kept?.append({ n: 1 }), /the transaction is over/);
    assert.deepEqual((await handle.replay()).entries, []);
  });
});

void test("when the connection does not wait for the disk, an append does, and the setting stays", async () => {
  await inScene(async (_, database) => {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    const handle = await journalIn(database).claim(fence());
    /** @type {string[]} */
    const said = [];
    const exec = database.exec.bind(database);
    Object.assign(database, { exec: (/** @type {string} */ text) => (said.push(text), exec(text)) });
    await handle.append({ n: 1 });
    assert.deepEqual(said, [
      "PRAGMA synchronous = FULL",
      "BEGIN IMMEDIATE",
      "COMMIT",
      "PRAGMA synchronous = 1",
    ]);
  });
});

void test("when the tables are missing, a claim says what to do; run once, the printed ones suffice", async () => {
  await inScene(async (_, database) => {
    const journal = journalIn(database, { create: false });
    assert.equal((await rejection(journal.claim(fence()))).code, "GUARD_TABLES_MISSING");
    assert.equal((await rejection(journal.inspect())).code, "GUARD_TABLES_MISSING");
    for (const statement of sqliteJournalSchema()) database.exec(statement);
    assert.deepEqual(await journal.inspect(), { state: undefined, upTo: 0, entries: [], rows: [] });
    await journal.claim(fence());
  });
});

void test("when somebody else holds the lock of the file, a claim is CLAIM_BLOCKED, and a reader waits", async () => {
  await inScene(async (scene, database) => {
    const journal = journalIn(database, { claimLockTimeoutMs: 50 });
    await (await journal.claim(fence())).append({ n: 1 });
    const other = await scene.database();
    other.exec("BEGIN EXCLUSIVE");
    assert.equal((await rejection(journal.claim(fence({ token: 8 })))).code, "CLAIM_BLOCKED");
    const reading = journal.inspect();
    other.exec("COMMIT");
    assert.equal((await reading).entries.length, 1);
  });
});

void test("when leader after leader is killed while it appends, each successor replays all that was acknowledged, and at most one more", async () => {
  await inScene(async (scene, database) => {
    database.exec("PRAGMA journal_mode = WAL");
    await expectSuccession("sqlite", `${path}|${scene.file}`, 5);
  });
});
