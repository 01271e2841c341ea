/** What is particular to the journal in PostgreSQL: transactions with data, roles, many entries. */

import { expect, it } from "vitest";
import { createElection } from "../../../src/create-election.js";
import { fences } from "../../../src/fence/fences.js";
import { postgresJournalSchema } from "../../../src/journal/postgres/index.js";
import { memoryStore } from "../../../src/stores/memory/index.js";
import { rejection } from "../../fence/claims.js";
import type { Scene } from "../../fence/postgres/scene.js";
import { postgresScope } from "../../fence/postgres/scope.js";
import { fence } from "../../fence/scene.js";
import { describeWithServer } from "../../servers/with-server.js";
import { range, term } from "../scene.js";
import { journalIn, tablesIn, through } from "./scene.js";

const successor = fence({ token: 8, owner: "b" });

describeWithServer("postgres", "the journal in PostgreSQL", () => {
  const { inScene } = postgresScope();

  for (const name of ["pg", "postgres.js"] as const) {
    it(`when a transaction writes and appends, both are there or neither, and a successor that repeats it does neither (${name})`, async () => {
      await inScene(async (scene) => {
        const journal = through(scene, name);
        const handle = await journal.claim(fence());
        const reason = new Error("the work failed");
        const failed = handle.transaction(async (tx, log) => {
          await scene.put(tx, "half");
          expect(await log.append({ n: 0 }, { opId: "invoice-1" })).toEqual({ index: 1, duplicate: false });
          throw reason;
        });
        expect(await rejection(failed)).toBe(reason);
        const pay = async (by: typeof handle) =>
          by.transaction(async (tx, log) => {
            const appended = await log.append({ n: 1 }, { opId: "invoice-1" });
            if (!appended.duplicate) await scene.put(tx, "paid");
            return appended;
          });
        expect(await pay(handle)).toEqual({ index: 1, duplicate: false });
        const next = await journal.claim(successor);
        expect(await pay(next)).toEqual({ index: 1, duplicate: true });
        expect(await rejection(pay(handle))).toMatchObject({ code: "STALE" });
        expect(await scene.content()).toEqual(["paid"]);
        expect((await next.replay()).entries).toEqual([
          { index: 1, token: 7, owner: "a", opId: "invoice-1", entry: { n: 1 } },
        ]);
      });
    });
  }

  it("when what a transaction appends with is used afterwards, nothing is appended", async () => {
    await inScene(async (scene) => {
      const handle = await through(scene, "pg").claim(fence());
      const append = await new Promise<() => Promise<unknown>>((resolve) => {
        void handle.transaction(async (_, log) => resolve(async () => log.append({ n: 1 })));
      });
      await handle.append({ n: 2 });
      expect(String(await rejection(append()))).toContain("the transaction is over");
      expect((await handle.replay()).entries).toHaveLength(1);
    });
  });

  it("when two elections append to one journal at once, each entry has a place of its own and none is empty", async () => {
    await inScene(async (scene) => {
      const journal = through(scene, "pg");
      const handles = await Promise.all(
        ["invoices", "reports"].map(async (election) => journal.claim(fence({ election }))),
      );
      const places = await Promise.all(
        handles.flatMap((handle) => range(1, 30).map(async (n) => (await handle.append({ n })).index)),
      );
      expect(places.toSorted((a, b) => a - b)).toEqual(range(1, 60));
      const { entries, rows } = await journal.inspect();
      expect(entries.map(({ index }) => index)).toEqual(range(1, 60));
      expect(rows.map(({ election }) => election).toSorted()).toEqual(["invoices", "reports"]);
    });
  });

  it("when a guard and a journal have one name in one database, each has a claim and numbers of its own", async () => {
    await inScene(async (scene) => {
      const pool = scene.pool();
      const leader = term(7);
      const ledger = scene.guard(pool, { resource: "log" });
      const journal = journalIn(scene, pool);
      const [written, log] = [await ledger.claim(leader), await journal.claim(leader)];
      await written.transaction(async (tx) => scene.put(tx, "paid"), { opId: "invoice-1" });
      expect(await log.append({ n: 1 }, { opId: "invoice-1" })).toEqual({ index: 1, duplicate: false });
      await journal.claim(successor);
      await written.transaction(async (tx) => scene.put(tx, "paid, too"));
      expect(await rejection(log.append({ n: 2 }))).toMatchObject({ code: "STALE" });
    });
  });

  it("when `fences` has claimed it beside a guard of the same database, the work appends and writes in one transaction", async () => {
    await inScene(async (scene) => {
      const pool = scene.pool();
      const work = fences(
        { ledger: scene.guard(pool), journal: journalIn(scene, pool) },
        async ({ ledger, journal }) => {
          await journal.transaction(async (tx, log) => {
            await scene.put(tx, "paid");
            await log.append({ n: 1 });
          });
          return [await ledger.read(async (tx) => scene.content("ledger", tx)), await journal.replay()];
        },
      );
      const election = createElection({ name: "invoices", store: memoryStore() });
      expect(await election.runOnce(work)).toMatchObject([["paid"], { entries: [{ entry: { n: 1 } }] }]);
      await election.stop();
    });
  });

  it("when there are ten thousand entries, they come in pages, and a page only when it is asked for", async () => {
    await inScene(async (scene) => {
      const pool = scene.pool();
      const journal = journalIn(scene, pool);
      const handle = await journal.claim(fence());
      await handle.append({ n: 1 });
      await seed(scene, 10_000);
      let looks = 0;
      pool.on("acquire", () => void (looks += 1));
      let count = 0;
      for await (const { index, entry } of journal.entries({ pageSize: 500 })) {
        count += 1;
        expect(index).toBe(count);
        expect(entry.n).toBe(count);
        expect(looks).toBe(Math.ceil(count / 500));
      }
      expect([count, looks]).toEqual([10_000, 20]);
      expect((await handle.replay()).entries).toHaveLength(10_000);
      expect(await handle.append({ n: 10_001 })).toEqual({ index: 10_001, duplicate: false });
    });
  });

  it("when commits of the database do not wait for the disk, an append does", async () => {
    await inScene(async (scene) => {
      const pool = scene.pool({ options: "-c synchronous_commit=off" });
      const handle = await journalIn(scene, pool).claim(fence());
      const share = await scene.durableShare(20, async (n) => handle.append({ n }));
      expect(share).toBeGreaterThan(0.75);
    });
  });

  it("when an operator has run the printed statements, a role that may create nothing leads, and one that may only read follows", async () => {
    await inScene(async (scene) => {
      const [leader, reader] = [`leader_${scene.schema}`, `reader_${scene.schema}`];
      const { fence: fenceTable, attempt, journal, entry, state } = tablesIn(scene);
      await scene.admin.query(
        `${postgresJournalSchema(tablesIn(scene)).join(";")};
         CREATE ROLE ${leader} LOGIN; CREATE ROLE ${reader} LOGIN;
         GRANT USAGE ON SCHEMA ${scene.schema} TO ${leader}, ${reader};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ${fenceTable}, ${attempt}, ${journal}, ${entry}, ${state} TO ${leader};
         GRANT SELECT ON ${journal}, ${entry} TO ${reader}`,
      );
      try {
        const options = { create: false };
        const leads = journalIn(
          scene,
          scene.pool({ user: leader, connectionString: urlFor(scene, leader) }),
          options,
        );
        const handle = await leads.claim(fence());
        await handle.append({ n: 1 });
        await handle.append({ n: 2 });
        await handle.checkpoint([1], 1);
        const reads = journalIn(scene, scene.pool({ connectionString: urlFor(scene, reader) }), options);
        for await (const { index } of reads.follow({ after: 1 })) {
          expect(index).toBe(2);
          break;
        }
        expect(await rejection(reads.claim(successor))).toMatchObject({ code: "GUARD_FAILED" });
      } finally {
        await scene.admin.query(
          `DROP OWNED BY ${leader}, ${reader}; DROP ROLE ${leader}; DROP ROLE ${reader}`,
        );
      }
    });
  });

  it("when the tables are missing, it is told so; where a guard has made its own, the journal makes the others", async () => {
    await inScene(async (scene) => {
      const journal = journalIn(scene, scene.pool(), { create: false });
      for (const use of [
        async () => journal.claim(fence()),
        async () => journal.inspect(),
        async () => first(journal.entries()),
      ]) {
        expect(await rejection(use())).toMatchObject({ code: "GUARD_TABLES_MISSING" });
      }
      await scene.guard(scene.pool()).claim(fence());
      const handle = await journalIn(scene, scene.pool()).claim(fence());
      expect(await handle.append({ n: 1 })).toEqual({ index: 1, duplicate: false });
    });
  });

  it("when the journal's row is gone and its entries are there, nothing is answered or added", async () => {
    await inScene(async (scene) => {
      const journal = through(scene, "pg");
      const handle = await journal.claim(fence());
      await handle.append({ n: 1 });
      await scene.admin.query(`DELETE FROM ${tablesIn(scene).journal}`);
      for (const use of [
        async () => handle.append({ n: 2 }),
        async () => handle.checkpoint([], 0),
        async () => journal.claim(successor),
      ]) {
        expect(await rejection(use())).toMatchObject({ code: "JOURNAL_UNREADABLE" });
      }
    });
  });
});

function urlFor({ url }: Scene, role: string): string {
  const own = new URL(url);
  own.username = role;
  return own.href;
}

async function first<V>(iteration: AsyncIterable<V>): Promise<V | undefined> {
  for await (const value of iteration) return value;
  return undefined;
}

/** Entries up to `count`, as one statement instead of as many appends. */
async function seed(scene: Scene, count: number): Promise<void> {
  const { journal, entry } = tablesIn(scene);
  await scene.admin.query(
    `INSERT INTO ${entry} (journal, idx, token, owner, op, body)
       SELECT id, n, 7, 'a', 'op-' || n, '{"n":' || n || '}' FROM ${journal}, generate_series(2, ${count}) AS n;
     UPDATE ${journal} SET newest = ${count}`,
  );
}
