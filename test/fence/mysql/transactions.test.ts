/** What the MySQL guard makes of transactions that go wrong, and of many at once. */

import { expect, it } from "vitest";
import type { Pool } from "mysql2/promise";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { transactionSuite } from "../sql/transactions.js";
import { forms, run, type Tx } from "./scene.js";
import { mysqlScope, otherServer } from "./scope.js";
import { describeStand, shareLock } from "./stand.js";

describeStand("transactions under the MySQL guard", (server) => {
  transactionSuite({
    ...server,
    ends: [
      ["ROLLBACK", []],
      ["COMMIT", ["mine"]],
    ],
    sleep: "SELECT SLEEP(30) FROM (SELECT 1 UNION SELECT 2) AS rows_that_sleep",
    overran: { errno: otherServer === undefined ? 1969 : 3024 },
    isolations: ["read committed", "repeatable read"],
    shareLock,
  });
});

describeWithServer("mariadb", "what MySQL itself says to a guarded transaction", () => {
  const { inScene } = mysqlScope();

  for (const form of forms) {
    it(`when the body has caught the error of a statement, that statement alone is undone, as the database does it (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(form)).claim(fence());
        await handle.transaction(async (tx) => {
          await scene.put(tx, "kept");
          await rejection(run(tx, "SELECT 1 FROM nowhere"));
        });
        expect(await scene.content()).toEqual(["kept"]);
      });
    });

    it(`when the body has caught a deadlock, which rolls all of it back, what it writes then is not committed either (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(form)).claim(fence());
        await scene.admin.query(
          `CREATE TABLE ${scene.database}.pair (id INT PRIMARY KEY, n INT); INSERT INTO ${scene.database}.pair VALUES (1, 0), (2, 0)`,
        );
        const add = (id: number, n: number) =>
          `UPDATE ${scene.database}.pair SET n = n + ${n} WHERE id = ${id}`;
        const other = await scene.admin.getConnection();
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "before");
          await run(tx, add(1, 1));
          // The other one has changed more, so that it is not the one to be rolled back.
          await other.query("BEGIN");
          const many = Array.from({ length: 100 }, (_, id) => `(${id + 10}, 0)`).join(", ");
          await other.query(`INSERT INTO ${scene.database}.pair VALUES ${many}`);
          await other.query(add(2, 10));
          const waiting = other.query(add(1, 10));
          await scene.waiting(1);
          expect(await rejection(run(tx, add(2, 1)))).toMatchObject({ errno: 1213 });
          await waiting;
          await scene.put(tx, "after");
        });
        expect(await rejection(write)).toMatchObject({ code: "GUARD_FAILED", outcome: "definite" });
        await other.query("ROLLBACK");
        other.release();
        expect(await scene.content()).toEqual([]);
        await handle.transaction(async (tx) => scene.put(tx, "next"));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when the term has less left than timeoutMs, the server is told the lesser (${form})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(form), { timeoutMs: 60_000 });
        const shown = async (remainingMs: number) => {
          const handle = await guard.claim({ fence: fence(), remainingMs: () => remainingMs });
          return handle.transaction(async (tx) => settings(tx));
        };
        const before = await settings(scene.admin);
        const [short, over, long] = [await shown(3_500), await shown(0), await shown(600_000)];
        expect(short).toMatchObject({ autocommit: 0, locks: 4, idle: 4, unread: 4 });
        expect(over).toMatchObject({ locks: 1, idle: 1, unread: 1 });
        expect(long).toMatchObject({ locks: 60, idle: 60, unread: 60 });
        expect(Number(short["statement"])).toBe(3_500);
        const pool = scene.pool({ connectionLimit: 1 });
        await scene.guard(pool, { timeoutMs: 500 }).claim(fence());
        expect(await settings(pool)).toEqual(before);
      });
    });
  }
});

/** Seconds, and of one statement milliseconds. */
async function settings(from: Tx | Pool): Promise<Readonly<Record<string, unknown>>> {
  const statement = otherServer === undefined ? "@@max_statement_time * 1000" : "@@max_execution_time";
  const text =
    "SELECT @@autocommit AS autocommit, @@innodb_lock_wait_timeout AS locks, @@wait_timeout AS idle," +
    ` @@net_write_timeout AS unread, @@lock_wait_timeout AS tables_, ${statement} AS statement`;
  const [row] = await run(from, text);
  return row ?? {};
}
