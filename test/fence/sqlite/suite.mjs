/**
 * The contract of guards, and what is particular to SQLite, under the Node.js that has node:sqlite. Needs the build.
 *
 *   node suite.mjs node:sqlite
 *   node suite.mjs <path of better-sqlite3>
 */

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, test } from "node:test";
import { open as openDatabase } from "./open.mjs";

const [path = ""] = process.argv.slice(2);

/** @param {string} name */
const built = async (name) => {
  /** @type {unknown} */
  const module = await import(new URL(`../../../dist/${name}/index.js`, import.meta.url).href);
  return module;
};
const { sqliteGuard, sqliteSchema } = /** @type {typeof import("../../../src/fence/sqlite/index.js")} */ (
  await built("fence/sqlite")
);
const { guardContract } = /** @type {typeof import("../../../src/testkit/index.js")} */ (
  await built("testkit")
);

/**
 * @typedef {import("../../../src/fence/sqlite/index.js").SqliteDatabase & { close(): unknown }} Database
 * @typedef {import("../../../src/fence/sqlite/index.js").SqliteHandle<Database>} Handle
 */

const { verifyFence } = /** @type {typeof import("../../../src/fence/verify/index.js")} */ (
  await built("fence/verify")
);

const tables = ["tenure_fence", "tenure_attempt", "tenure_operation", "tenure_act", "ledger"];
const ledger = "CREATE TABLE IF NOT EXISTS ledger (n INTEGER PRIMARY KEY, resource TEXT, value TEXT)";

class Scene {
  /** @type {Database | undefined} */
  admin;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "tenure-sqlite-"));
    this.file = join(this.folder, "data.db");
    /** @type {Database[]} */
    this.opened = [];
  }

  static async open() {
    const scene = new Scene();
    scene.admin = await scene.database();
    scene.admin.exec(`PRAGMA journal_mode = WAL; ${ledger}`);
    return scene;
  }

  /** @returns {Promise<Database>} */
  async database() {
    const database = await openDatabase(path, this.file);
    this.opened.push(database);
    return database;
  }

  /** @param {string} resource */
  content(resource = "ledger") {
    const text = "SELECT value FROM ledger WHERE resource = ? ORDER BY n";
    const rows = /** @type {{ value: string }[]} */ (
      (this.admin ?? assert.fail()).prepare(text).all(JSON.stringify(resource))
    );
    return rows.map(({ value }) => /** @type {string} */ (JSON.parse(value)));
  }

  close() {
    for (const database of this.opened) database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * @param {Database} database
 * @param {string} value
 */
function put(database, value, resource = "ledger") {
  const text = "INSERT INTO ledger (resource, value) VALUES (?, ?)";
  database.prepare(text).run(JSON.stringify(resource), JSON.stringify(value));
}

/** @param {Partial<import("../../../src/fence/fence.js").Fence>} change */
function fence(change = {}) {
  const names = { namespace: "default", election: "invoices", lineage: "default/lease" };
  return { v: /** @type {const} */ (1), ...names, token: 7, owner: "a", ...change };
}

/** @param {Promise<unknown>} promise */
async function rejection(promise) {
  return promise.then(
    () => assert.fail("it should have been rejected"),
    (/** @type {unknown} */ error) => /** @type {{ code?: string, blockers?: unknown }} */ (error),
  );
}

/** A disk error at the next commit: before it, or after it. */
class Breakable {
  /** @type {"before" | "after" | undefined} */
  breaking;

  /** @param {Database} database */
  of(database) {
    const exec = database.exec.bind(database);
    return Object.assign(database, {
      exec: (/** @type {string} */ text) => {
        const when = text === "COMMIT" ? this.breaking : undefined;
        if (when === undefined) return exec(text);
        this.breaking = undefined;
        if (when === "after") exec(text);
        throw Object.assign(new Error("disk I/O error"), { code: "SQLITE_IOERR_FSYNC", errcode: 1_034 });
      },
    });
  }
}

/** @returns {Promise<import("../../../src/testkit/index.js").GuardHarness<Handle>>} */
async function harness() {
  const scene = await Scene.open();
  const disk = new Breakable();
  const database = disk.of(await scene.database());
  const admin = scene.admin ?? assert.fail();
  let copies = 0;
  return {
    guard: ({ rememberOperations, ...request }) =>
      sqliteGuard(database, {
        ...request,
        create: true,
        rememberOperations: rememberOperations ? 16 : 0,
      }),
    apply: async (handle, { value, result, options }) =>
      handle.transaction((tx) => {
        put(tx, value, handle.resource);
        return result;
      }, options),
    read: async (handle) => handle.read(() => scene.content(handle.resource)),
    content: async (resource) => scene.content(resource),
    loseReply: (when) => void (disk.breaking = when),
    operator: {
      restart: async () => {},
      async wipe() {
        for (const table of tables) admin.exec(`DELETE FROM ${table}`);
      },
      async snapshot() {
        admin.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        const copy = join(scene.folder, `copy-${(copies += 1)}.db`);
        copyFileSync(scene.file, copy);
        return copy;
      },
      async restore(copy) {
        admin.exec(`ATTACH '${String(copy)}' AS copy`);
        for (const table of tables) {
          admin.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM copy.${table}`);
        }
        admin.exec("DETACH copy");
      },
    },
    close: async () => scene.close(),
  };
}

guardContract({
  describe: (title, body) => void describe(title, body),
  it: Object.assign(
    (/** @type {string} */ title, /** @type {() => Promise<void>} */ body) => void it(title, body),
    {
      skip: (/** @type {string} */ title, /** @type {() => void} */ body) => void it.skip(title, body),
    },
  ),
  name: `sqlite, through ${path}`,
  open: harness,
  capabilities: {
    savesResults: true,
    ordersStrictly: true,
    remembersOperations: true,
    claimsPassWriters: false,
  },
  skip: { pause: "a transaction runs in one go; only the whole process can stand still in it" },
});

/** @param {(scene: Scene) => Promise<void>} work */
async function inScene(work) {
  const scene = await Scene.open();
  try {
    await work(scene);
  } finally {
    scene.close();
  }
}

void test("when a body throws, nothing is applied, and the operation can be written again", async () => {
  await inScene(async (scene) => {
    const handle = await sqliteGuard(await scene.database(), { resource: "ledger", create: true }).claim(
      fence(),
    );
    const reason = new Error("the work failed");
    const options = { opId: "one" };
    const failed = handle.transaction((tx) => {
      put(tx, "half");
      throw reason;
    }, options);
    assert.equal(await rejection(failed), reason);
    await handle.transaction((tx) => put(tx, "whole"), options);
    assert.deepEqual(scene.content(), ["whole"]);
  });
});

void test("when a body returns a promise, it is refused and nothing is applied", async () => {
  await inScene(async (scene) => {
    const handle = await sqliteGuard(await scene.database(), { resource: "ledger", create: true }).claim(
      fence(),
    );
    const write = handle.transaction(async (tx) => put(tx, "async"));
    assert.equal((await rejection(write)).code, "INVALID_OPTION");
    assert.equal((await rejection(handle.read(async () => 1))).code, "INVALID_OPTION");
    assert.deepEqual(scene.content(), []);
  });
});

void test("when a body ends the transaction by itself, the write is not answered as applied", async () => {
  await inScene(async (scene) => {
    const handle = await sqliteGuard(await scene.database(), { resource: "ledger", create: true }).claim(
      fence(),
    );
    for (const end of ["ROLLBACK", "ROLLBACK; BEGIN"]) {
      const write = handle.transaction((tx) => {
        put(tx, "mine");
        tx.exec(end);
      });
      assert.equal((await rejection(write)).code, "GUARD_FAILED");
      assert.deepEqual(scene.content(), []);
    }
    await handle.transaction((tx) => put(tx, "next"));
    assert.deepEqual(scene.content(), ["next"]);
  });
});

void test("when somebody else holds the lock, a claim is CLAIM_BLOCKED and a write waits for its end", async () => {
  await inScene(async (scene) => {
    const database = await scene.database();
    const options = { resource: "ledger", create: true, claimLockTimeoutMs: 50 };
    const handle = await sqliteGuard(database, options).claim(fence());
    const admin = scene.admin ?? assert.fail();
    admin.exec("BEGIN IMMEDIATE");
    const blocked = await rejection(sqliteGuard(database, options).claim(fence({ token: 8, owner: "b" })));
    assert.equal(blocked.code, "CLAIM_BLOCKED");
    assert.deepEqual(blocked.blockers, []);
    const write = handle.transaction((tx) => put(tx, "waited"));
    assert.deepEqual(scene.content(), []);
    admin.exec("COMMIT");
    await write;
    assert.deepEqual(scene.content(), ["waited"]);
  });
});

void test("when the tables are missing, a claim says what to do; run once, the printed ones suffice", async () => {
  await inScene(async (scene) => {
    const guard = sqliteGuard(await scene.database(), { resource: "ledger" });
    assert.equal((await rejection(guard.claim(fence()))).code, "GUARD_TABLES_MISSING");
    for (const statement of sqliteSchema()) (scene.admin ?? assert.fail()).exec(statement);
    await guard.claim(fence());
  });
});

void test("when the connection does not wait for the disk, a claim does, and the setting stays", async () => {
  await inScene(async (scene) => {
    const database = await scene.database();
    database.exec("PRAGMA synchronous = OFF");
    /** @type {string[]} */
    const said = [];
    const exec = database.exec.bind(database);
    Object.assign(database, { exec: (/** @type {string} */ text) => (said.push(text), exec(text)) });
    await sqliteGuard(database, { resource: "ledger", create: true }).claim(fence());
    const synchronous = said.filter((text) => text.startsWith("PRAGMA"));
    assert.deepEqual(synchronous, ["PRAGMA synchronous = FULL", "PRAGMA synchronous = 0"]);
    const [begin, end] = [said.indexOf("BEGIN IMMEDIATE"), said.indexOf("COMMIT")];
    assert.ok(
      said.indexOf("PRAGMA synchronous = FULL") < begin && end < said.indexOf("PRAGMA synchronous = 0"),
    );
  });
});

void test("without a write-ahead log a read waits for who commits, and what its body throws comes as it is", async () => {
  await inScene(async (scene) => {
    const file = join(scene.folder, "rollback.db");
    const [database, other] = [await openDatabase(path, file), await openDatabase(path, file)];
    scene.opened.push(database, other);
    const handle = await sqliteGuard(database, { resource: "ledger", create: true }).claim(fence());
    other.exec("BEGIN EXCLUSIVE");
    const reading = handle.read(() => "read");
    other.exec("COMMIT");
    assert.equal(await reading, "read");
    const thrown = new Error("no");
    const failing = handle.read(() => {
      throw thrown;
    });
    assert.equal(await rejection(failing), thrown);
  });
});

void test("probes that must be refused are, beside a leader who notices nothing, and no row of them is left", async () => {
  await inScene(async (scene) => {
    const database = await scene.database();
    const handle = await sqliteGuard(database, { resource: "ledger", create: true }).claim(fence());
    const found = await verifyFence((resource) =>
      sqliteGuard(database, { resource, create: true, rememberOperations: 4 }),
    );
    const others = found.probes.filter(({ outcome }) => outcome !== "passed");
    assert.deepEqual(
      others.map(({ id, outcome }) => [id, outcome]),
      [["delayed-write", "skipped"]],
    );
    assert.equal(found.sound, true);
    await handle.transaction((tx) => put(tx, "still mine"));
    assert.deepEqual(scene.content(), ["still mine"]);
    const admin = scene.admin ?? assert.fail();
    for (const table of tables.slice(0, 4)) {
      const left = admin.prepare(`SELECT * FROM ${table}`).all();
      assert.equal(left.length, { tenure_fence: 1, tenure_attempt: 64 }[table] ?? 0, table);
    }
  });
});

void test("an operator's act changes the row and leaves its record in one step, or does neither", async () => {
  await inScene(async (scene) => {
    const guard = sqliteGuard(await scene.database(), { resource: "ledger", create: true });
    const old = await guard.claim(fence());
    const order = { election: "invoices", by: "kim", reason: "it's moved" };
    const from = { lineage: "default/lease", watermark: 7 };
    const act = await guard.operator.adopt({ ...order, from, lineage: "default/raft" });
    assert.equal((await rejection(old.transaction((tx) => put(tx, "late")))).code, "FOREIGN_LINEAGE");
    const raft = fence({ lineage: "default/raft", token: 8, owner: "raft" });
    await (await guard.claim(raft)).transaction((tx) => put(tx, "new"));
    assert.deepEqual(scene.content(), ["new"]);
    const late = await rejection(guard.operator.reset({ ...order, from, watermark: "forget" }));
    assert.equal(late.code, "FENCE_CHANGED");
    assert.deepEqual(await guard.operator.acts(), [act]);
    (scene.admin ?? assert.fail()).exec("DROP TABLE tenure_act");
    const now = { lineage: "default/raft", watermark: 8 };
    const unrecorded = await rejection(guard.operator.reset({ ...order, from: now, watermark: "forget" }));
    assert.equal(unrecorded.code, "GUARD_TABLES_MISSING");
    assert.equal((await guard.inspect())[0]?.row.watermark, 8);
  });
});

void test("what is no database is refused", () => {
  for (const database of [undefined, {}, { exec() {} }]) {
    assert.throws(
      () => sqliteGuard(/** @type {never} */ (database), { resource: "ledger" }),
      /database must be/,
    );
  }
});
