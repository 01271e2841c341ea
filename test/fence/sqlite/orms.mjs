/**
 * One ORM on better-sqlite3, with the function that docs/guards/sqlite.md shows for it. Needs the build.
 *
 *   node orms.mjs <kysely | drizzle-orm | typeorm> <module of the function> <path of better-sqlite3>
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import * as modules from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { open } from "./open.mjs";

const [name = "", snippet = "", path = ""] = process.argv.slice(2);

/**
 * @typedef {(specifier: string, context: unknown) => unknown} Next
 * @typedef {(specifier: string, context: unknown, next: Next) => unknown} Resolve
 */

// The client is unpacked beside this checkout's packages, and not one of them.
const { registerHooks } = /** @type {{ registerHooks: (hooks: { resolve: Resolve }) => void }} */ (
  /** @type {unknown} */ (modules)
);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "better-sqlite3"
      ? { url: pathToFileURL(path).href, shortCircuit: true }
      : next(specifier, context),
});

/**
 * @typedef {import("./open.mjs").Database} Database
 * @typedef {import("../../../src/fence/sqlite/index.js").SqliteHandle<Database>} Handle
 */

/** @type {unknown} */
const built = await import(new URL("../../../dist/fence/sqlite/index.js", import.meta.url).href);
const { sqliteGuard } = /** @type {typeof import("../../../src/fence/sqlite/index.js")} */ (built);
/** @type {unknown} */
const shown = await import(pathToFileURL(snippet).href);
const { send } = /** @type {{ send: (db: unknown, outbox: Handle, id: string) => Promise<void> }} */ (shown);

/** @type {Record<string, (database: Database, file: string) => Promise<{ db: unknown, close: () => Promise<void> }>>} */
const orms = {
  async kysely(database) {
    const { Kysely, SqliteDialect } = await import("kysely");
    const db = new Kysely({ dialect: new SqliteDialect({ database: /** @type {never} */ (database) }) });
    return { db, close: async () => db.destroy() };
  },
  async "drizzle-orm"(database) {
    const { drizzle } = await import("drizzle-orm/better-sqlite3");
    return { db: drizzle(/** @type {never} */ (database)), close: async () => void database.close() };
  },
  async typeorm(database, file) {
    const { DataSource } = await import("typeorm");
    // It makes its own connection, which is to be the one that is watched.
    function Driver() {
      return database;
    }
    const db = new DataSource({ type: "better-sqlite3", database: file, driver: Driver });
    await db.initialize();
    return { db, close: async () => db.destroy() };
  },
};

function fence(change = {}) {
  const names = { namespace: "default", election: "outbox", lineage: "default/lease" };
  return { v: /** @type {const} */ (1), ...names, token: 7, owner: "a", ...change };
}

class Scene {
  folder = mkdtempSync(join(tmpdir(), "tenure-orms-"));
  file = join(this.folder, "data.db");
  /** Called before the message is changed. */
  atUpdate = () => {};

  async open() {
    this.guarded = await open(path, this.file);
    this.guarded.exec("PRAGMA journal_mode = WAL");
    this.guarded.exec("CREATE TABLE message (id TEXT PRIMARY KEY, sent INTEGER NOT NULL)");
    this.guarded.exec("INSERT INTO message VALUES ('1', 0), ('2', 0)");
    const watched = await open(path, this.file);
    const prepare = watched.prepare.bind(watched);
    Object.assign(watched, {
      prepare: (/** @type {string} */ text) => {
        if (/^update "?message/i.test(text)) this.atUpdate();
        return prepare(text);
      },
    });
    this.orm = await (orms[name] ?? assert.fail())(watched, this.file);
  }

  /** On a connection of its own, as the page says. */
  get guard() {
    return sqliteGuard(this.guarded ?? assert.fail(), {
      resource: "outbox",
      create: true,
      claimLockTimeoutMs: 50,
    });
  }

  /** @param {Handle} handle */
  async send(handle, id = "1") {
    await send(this.orm?.db, handle, id);
  }

  sent() {
    const rows = (this.guarded ?? assert.fail())
      .prepare("SELECT id FROM message WHERE sent = 1 ORDER BY id")
      .all();
    return rows.map((row) => /** @type {{ id: string }} */ (row).id);
  }
}

/** @param {(scene: Scene) => Promise<void>} work */
async function inScene(work) {
  const scene = new Scene();
  await scene.open();
  try {
    await work(scene);
  } finally {
    await scene.orm?.close();
    scene.guarded?.close();
    rmSync(scene.folder, { recursive: true });
  }
}

void test("when the term stands, the transaction is committed, time after time", async () => {
  await inScene(async (scene) => {
    const handle = await scene.guard.claim(fence());
    await scene.send(handle);
    await scene.send(handle, "2");
    assert.deepEqual(scene.sent(), ["1", "2"]);
  });
});

void test("when a successor has claimed, it is STALE, nothing is applied, and the term is told", async () => {
  await inScene(async (scene) => {
    /** @type {number[]} */
    const told = [];
    const outpaced = (/** @type {number} */ watermark) => void told.push(watermark);
    const handle = await scene.guard.claim({ fence: fence(), outpaced });
    const successor = await scene.guard.claim(fence({ token: 8, owner: "b" }));
    await assert.rejects(scene.send(handle), {
      code: "STALE",
      watermark: 8,
      owner: "b",
      outcome: "definite",
    });
    assert.deepEqual([told, scene.sent()], [[8], []]);
    // Its connection is in order.
    await scene.send(successor, "2");
    assert.deepEqual(scene.sent(), ["2"]);
  });
});

void test("when the statement has passed, the lock of writers is held, so that no claim comes in between", async () => {
  await inScene(async (scene) => {
    const handle = await scene.guard.claim(fence());
    let met = 0;
    scene.atUpdate = () => {
      assert.throws(() => scene.guarded?.exec("BEGIN IMMEDIATE"), { code: "SQLITE_BUSY" });
      met += 1;
    };
    await scene.send(handle);
    assert.deepEqual([met, scene.sent()], [1, ["1"]]);
    await scene.guard.claim(fence({ token: 8, owner: "b" }));
  });
});

void test("when somebody else has the lock, it fails as busy, which is no refusal", async () => {
  await inScene(async (scene) => {
    const handle = await scene.guard.claim(fence());
    scene.guarded?.exec("BEGIN IMMEDIATE");
    /** @type {unknown} */
    const error = await scene.send(handle).then(
      () => assert.fail("it went through"),
      (/** @type {unknown} */ cause) => cause,
    );
    assert.match(inspect(error), /database is locked/);
    assert.equal(handle.refusalOf(error), undefined);
    scene.guarded?.exec("COMMIT");
    await scene.send(handle);
    assert.deepEqual(scene.sent(), ["1"]);
  });
});
