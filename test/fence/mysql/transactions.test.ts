/** What the MySQL guard makes of transactions that go wrong, and of many at once. */

import type { Pool } from "mysql2/promise";
import { expect, it } from "vitest";
import type { Claimant } from "../../../src/fence/fence.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { claimUntil, rejection } from "../postgres/claims.js";
import { forms, run, type Scene, sessionOf, type Tx } from "./scene.js";
import { mysqlScope, otherServer } from "./scope.js";

describeWithServer("mariadb", "transactions under the MySQL guard", () => {
  const { inScene } = mysqlScope();

  for (const form of forms) {
    const inTerm = async (
      work: (scene: Scene, handle: Awaited<ReturnType<typeof claimed>>) => Promise<void>,
    ): Promise<void> => inScene(async (scene) => work(scene, await claimed(scene)));
    const claimed = async (scene: Scene, claimant: Claimant = { fence: fence() }) =>
      scene.guard(scene.client(form), { timeoutMs: 500 }).claim(claimant);

    it(`when the body has caught the error of a statement, that statement alone is undone, as the database does it (${form})`, async () => {
      await inTerm(async (scene, handle) => {
        await handle.transaction(async (tx) => {
          await scene.put(tx, "kept");
          await rejection(run(tx, "SELECT 1 FROM nowhere"));
        });
        expect(await scene.content()).toEqual(["kept"]);
      });
    });

    it(`when the body has caught a deadlock, which rolls all of it back, what it writes then is not committed either (${form})`, async () => {
      await inTerm(async (scene, handle) => {
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

    it(`when the body ends the transaction by itself, the write is not answered as applied (${form})`, async () => {
      await inTerm(async (scene, handle) => {
        for (const [end, kept] of [
          ["ROLLBACK", []],
          ["COMMIT", ["mine"]],
        ] as const) {
          const write = handle.transaction(async (tx) => {
            await scene.put(tx, "mine");
            await run(tx, end);
          });
          expect(await rejection(write), end).toMatchObject({ code: "GUARD_FAILED" });
          expect(await scene.content(), end).toEqual(kept);
        }
      });
    });

    it(`when the body does nothing for longer than timeoutMs, its session is ended and nothing is applied (${form})`, async () => {
      await inTerm(async (scene, handle) => {
        let goOn = () => {};
        const ended = new Promise<void>((resolve) => (goOn = resolve));
        const write = handle.transaction(async (tx) => {
          const pid = await sessionOf(tx);
          await scene.put(tx, "slow");
          void gone(scene, pid).then(goOn);
          await ended;
          // On a session that is over: refused, and on no other session either.
          await scene.put(tx, "late");
        });
        await rejection(write);
        expect(await scene.content()).toEqual([]);
        await handle.transaction(async (tx) => scene.put(tx, "next"));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when one statement runs for longer than timeoutMs, it is ended and nothing is applied (${form})`, async () => {
      await inTerm(async (scene, handle) => {
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "slow");
          await run(tx, "SELECT SLEEP(30) FROM (SELECT 1 UNION SELECT 2) AS rows_that_sleep");
          await scene.put(tx, "late");
        });
        expect(await rejection(write)).toMatchObject({ errno: otherServer === undefined ? 1969 : 3024 });
        expect(await scene.content()).toEqual([]);
      });
    });

    it(`when the session is killed under the body, the attempt is not applied and can be written again (${form})`, async () => {
      await inTerm(async (scene, handle) => {
        const write = handle.transaction(
          async (tx) => {
            await scene.put(tx, "killed");
            await run(scene.admin, `KILL CONNECTION ${await sessionOf(tx)}`);
            await scene.put(tx, "late");
          },
          { opId: "one" },
        );
        await rejection(write);
        await handle.transaction(async (tx) => scene.put(tx, "again"), { opId: "one" });
        expect(await scene.content()).toEqual(["again"]);
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

    it(`when 16 writers of one term write at once, they share the lock and none waits for another's end (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(form)).claim(fence());
        let inside = 0;
        let allInside = () => {};
        const together = new Promise<void>((resolve) => (allInside = resolve));
        const writes = Array.from({ length: 16 }, async (_, index) =>
          handle.transaction(async (tx) => {
            await scene.put(tx, String(index));
            inside += 1;
            if (inside === 16) allInside();
            await together;
          }),
        );
        await Promise.all(writes);
        expect(await scene.content()).toHaveLength(16);
      });
    });

    it(`when writers never pause, a claim is not passed by later ones (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(form)).claim(fence());
        let applied = 0;
        let underWay = () => {};
        const steady = new Promise<void>((resolve) => (underWay = resolve));
        const writers = Array.from({ length: 8 }, async () => {
          for (;;) {
            await handle.transaction(async (tx) => scene.put(tx, "old"));
            applied += 1;
            if (applied === 50) underWay();
          }
        });
        const refusals = Promise.all(writers.map(rejection));
        await steady;
        const successor = await scene.guard(scene.pool()).claim(fence({ token: 8, owner: "b" }));
        const before = await scene.content();
        await successor.transaction(async (tx) => scene.put(tx, "new"));
        for (const error of await refusals) expect(error).toMatchObject({ code: "STALE", watermark: 8 });
        expect(await scene.content()).toEqual([...before, "new"]);
      });
    });

    it(`when an attempt is sent again while its first send is under way, it waits for it and is answered (${form})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(form));
        // Bare fences: both handles number the write by themselves, and both as number 1.
        const [first, second] = [await guard.claim(fence()), await guard.claim(fence())];
        let goOn = () => {};
        const held = new Promise<void>((resolve) => (goOn = resolve));
        let bodies = 0;
        const send = async (handle: typeof first, inside: () => void) =>
          handle.transaction(
            async (tx) => {
              bodies += 1;
              await scene.put(tx, "once");
              inside();
              await held;
              return "done";
            },
            { opId: "one" },
          );
        let one: Promise<string> = Promise.resolve("");
        await new Promise<void>((inside) => {
          one = send(first, inside);
        });
        const again = send(second, () => {});
        await scene.waiting(1);
        goOn();
        expect([await one, await again, bodies]).toEqual(["done", "done", 1]);
        expect(await scene.content()).toEqual(["once"]);
      });
    });

    for (const isolation of ["read committed", "repeatable read"] as const) {
      it(`when a claim comes between the lock's request and its grant, the write is STALE under ${isolation} (${form})`, async () => {
        await inScene(async (scene) => {
          const client = scene.client(form);
          const old = await scene.guard(client, { isolation }).claim(fence());
          const blocker = await scene.admin.getConnection();
          // The successor's claim stands on a lock that somebody else holds; the write queues behind it.
          await blocker.query(`BEGIN; SELECT 1 FROM ${scene.tables.fence} LOCK IN SHARE MODE`);
          const claiming = claimUntil(scene.guard(scene.pool()), fence({ token: 8, owner: "b" }));
          await scene.waiting(1);
          const write = rejection(old.transaction(async (tx) => scene.put(tx, "stale")));
          await scene.waiting(2);
          await blocker.query("ROLLBACK");
          blocker.release();
          await claiming;
          expect(await write).toMatchObject({ code: "STALE", watermark: 8 });
          expect(await scene.content()).toEqual([]);
        });
      });
    }
  }
});

/** Resolves when the session is over; its client may not have heard of it. */
async function gone(scene: Scene, session: number): Promise<void> {
  for (;;) {
    const text = "SELECT id FROM information_schema.processlist WHERE id = ?";
    if ((await run(scene.admin, text, [String(session)])).length === 0) return;
  }
}

/** Seconds, and of one statement milliseconds. */
async function settings(from: Tx | Pool): Promise<Readonly<Record<string, unknown>>> {
  const statement = otherServer === undefined ? "@@max_statement_time * 1000" : "@@max_execution_time";
  const text =
    "SELECT @@autocommit AS autocommit, @@innodb_lock_wait_timeout AS locks, @@wait_timeout AS idle," +
    ` @@net_write_timeout AS unread, @@lock_wait_timeout AS tables_, ${statement} AS statement`;
  const [row] = await run(from, text);
  return row ?? {};
}
