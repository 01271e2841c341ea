/** Tables and privileges: who makes the tables, what is said where they are missing, what a role needs. */

import { expect, it } from "vitest";
import { mysqlGuard, mysqlSchema } from "../../../src/fence/mysql/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { createSequence } from "../../../src/fence/sequence.js";
import { fence } from "../scene.js";
import { rejection } from "../postgres/claims.js";
import { run } from "./scene.js";
import { mysqlScope } from "./scope.js";

describeWithServer("mariadb", "the tables of the MySQL guard", () => {
  const { inScene, url } = mysqlScope();

  it("when they are missing, a claim says what to do and is not tried again", async () => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool(), { create: false });
      const error = await rejection(guard.claim(fence()));
      expect(error).toMatchObject({ code: "GUARD_TABLES_MISSING", retry: "never" });
      expect(String(error)).toContain("create: true");
    });
  });

  it("when one of them is dropped under a leader, writes fail for the same reason and apply nothing", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      await scene.admin.query(`DROP TABLE ${scene.tables.attempt}`);
      const write = handle.transaction(async (tx) => scene.put(tx, "late"));
      expect(await rejection(write)).toMatchObject({ code: "GUARD_TABLES_MISSING" });
      expect(await scene.content()).toEqual([]);
    });
  });

  it("when several guards find none at once, one makes them and all claim", async () => {
    await inScene(async (scene) => {
      const claims = Array.from({ length: 8 }, async (_, index) =>
        scene.guard(scene.pool()).claim(fence({ election: `election-${index}` })),
      );
      expect(await Promise.all(claims)).toHaveLength(8);
    });
  });

  it("when the printed statements are run, twice even, a guard with these names works on them", async () => {
    await inScene(async (scene) => {
      const { database } = scene;
      const tables = { fence: `${database}.MyFence`, attempt: `${database}.my_attempt` };
      const names = { ...tables, operation: `${database}.my_operation` };
      for (const statement of [...mysqlSchema(names), ...mysqlSchema(names)]) {
        await scene.admin.query(statement);
      }
      const guard = scene.guard(scene.pool(), { tables: names, create: false, rememberOperations: 10 });
      const handle = await guard.claim(fence());
      await handle.transaction(async (tx) => scene.put(tx, "1"), { opId: "one" });
      expect(await scene.standing()).toContain("MyFence");
      expect(await scene.content()).toEqual(["1"]);
    });
  });

  it("when the role may only select, insert, update and delete, claims, writes and evictions of its own work", async () => {
    await inScene(async (scene) => {
      await scene.guard(scene.pool()).claim(fence({ token: 1 }));
      const role = `${scene.database}_w`;
      await scene.admin.query(
        `CREATE USER ${role}@'%';
         GRANT SELECT, INSERT, UPDATE, DELETE ON ${scene.database}.* TO ${role}@'%'`,
      );
      const pool = scene.pool({
        uri: url()
          .replace("tenure@", `${role}@`)
          .replace(/\/tenure$/, ""),
      });
      const options = { create: true, rememberOperations: 10, claimLockTimeoutMs: 100 };
      const old = await scene.guard(pool, options).claim(fence());
      await old.transaction(async (tx) => scene.put(tx, "1"), { opId: "one" });
      let goOn = () => {};
      const held = new Promise<void>((resolve) => (goOn = resolve));
      let write: Promise<unknown> = held;
      await new Promise<void>((inside) => {
        const holding = old.transaction(async () => {
          inside();
          await held;
        });
        write = rejection(holding);
      });
      const successor = fence({ token: 8, owner: "b" });
      const handle = await scene.guard(pool, { ...options, evictStale: true }).claim(successor);
      goOn();
      await write;
      await handle.transaction(async (tx) => scene.put(tx, "2"));
      expect(await scene.content()).toEqual(["1", "2"]);
      await scene.admin.query(`DROP USER ${role}@'%'`);
    });
  });

  it("when two databases hold a resource of one name, a term numbers its writes to each by itself", async () => {
    await inScene(async (one) => {
      await inScene(async (other) => {
        const sequences = new Map<string, number>();
        const claimant = {
          fence: fence(),
          sequence: (name: string) => {
            sequences.set(name, (sequences.get(name) ?? 0) + 1);
            return createSequence(name);
          },
        };
        for (const scene of [one, other, one]) await scene.guard(scene.pool()).claim(claimant);
        expect([...sequences.values()]).toEqual([2, 1]);
      });
    });
  });

  it("when operations are trimmed, the newest stay, and the resource's own alone", async () => {
    await inScene(async (scene) => {
      const options = { rememberOperations: 5 };
      const [ledger, other] = [
        await scene.guard(scene.pool(), options).claim(fence()),
        await scene.guard(scene.pool(), { ...options, resource: "other" }).claim(fence()),
      ];
      await other.transaction(async () => {}, { opId: "other" });
      for (let index = 1; index <= 64; index += 1) {
        await ledger.transaction(async () => {}, { opId: `op-${index}` });
      }
      const rows = await run(
        scene.admin,
        `SELECT CAST(op AS CHAR) AS op FROM ${scene.tables.operation} ORDER BY id`,
      );
      expect(rows.map(({ op }) => op)).toEqual(["other", "op-60", "op-61", "op-62", "op-63", "op-64"]);
    });
  });

  it("when it is inspected, the row of each election is shown as other guards keep it", async () => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool());
      const handle = await guard.claim(fence({ namespace: "na\0me" }));
      await handle.transaction(async () => {}, { opId: "one" });
      await handle.transaction(async () => ({ balance: 90 }), { opId: "two" });
      expect(await guard.inspect()).toEqual([
        {
          namespace: "na\0me",
          election: "invoices",
          row: {
            ...{ v: 1, lineage: "default/lease", watermark: 7, owner: "a", seq: 2 },
            window: [
              { seq: 1, opId: "one", returned: false },
              { seq: 2, opId: "two", returned: true },
            ],
            last: { seq: 2, opId: "two", result: '{"balance":90}' },
          },
        },
      ]);
    });
  });

  it("when a row is of a later format, it is refused and left as it is", async () => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool());
      const handle = await guard.claim(fence());
      await scene.admin.query(`UPDATE ${scene.tables.fence} SET v = 2`);
      const claim = guard.claim(fence({ token: 8 }));
      expect(await rejection(claim)).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
      const write = handle.transaction(async (tx) => scene.put(tx, "1"));
      expect(await rejection(write)).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
      expect(await scene.content()).toEqual([]);
    });
  });

  it("when what is handed in is no pool, it is refused before anything is sent", async () => {
    const options = { resource: "ledger" };
    const cluster = { getConnection() {}, of() {} };
    for (const client of [undefined, {}, () => {}, { query() {}, promise() {} }, cluster]) {
      expect(() => mysqlGuard(client as never, options)).toThrow(/client must be a Pool of mysql2 3/);
    }
  });
});
