/** What operators do to a MySQL guard: acts with their record, and probes that leave nothing. */

import { describe, expect, it } from "vitest";
import { mysqlGuard } from "../../../src/fence/mysql/index.js";
import { verifyFence } from "../../../src/fence/verify/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../postgres/claims.js";
import { breakable } from "./replies.js";
import { forms, run, type Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";

const seen = { lineage: "default/lease", watermark: 7 };
const signed = { by: "kim@host", reason: "it's \\ moved, \u{1f5dd}" };

/** Rows of all tables of the guard. */
async function rowCounts(scene: Scene): Promise<readonly number[]> {
  const counts = Object.values(scene.tables).map(async (table) => {
    const [row] = await run(scene.admin, `SELECT COUNT(*) AS n FROM ${table}`);
    return Number(row?.["n"]);
  });
  return Promise.all(counts);
}

describeWithServer("mariadb", "an operator of the MySQL guard", () => {
  const { inScene } = mysqlScope();

  describe("verifies", () => {
    it.each(forms)("through %s: a sound guard passes every probe, and no row is left", async (form) => {
      await inScene(async (scene) => {
        const client = scene.client(form);
        const mine = await scene.guard(client).claim(fence());
        await mine.transaction(async (tx) => scene.put(tx, "mine"));
        const before = await rowCounts(scene);
        const found = await verifyFence((resource) =>
          scene.guard(client, { resource, claimLockTimeoutMs: 100, rememberOperations: 4 }),
        );
        expect(found.probes.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
        expect(found).toMatchObject({ kind: "mysql", sound: true, left: [] });
        expect(await rowCounts(scene)).toEqual(before);
        await mine.transaction(async (tx) => scene.put(tx, "still mine"));
        expect(await scene.content()).toEqual(["mine", "still mine"]);
      });
    });

    it("strict order, too; and without tables there is no finding but an error", async () => {
      await inScene(async (scene) => {
        const pool = scene.pool();
        const missing = verifyFence((resource) => mysqlGuard(pool, { resource, tables: scene.tables }));
        expect(await rejection(missing)).toMatchObject({ code: "GUARD_TABLES_MISSING" });
        const found = await verifyFence((resource) =>
          scene.guard(pool, { resource, claimLockTimeoutMs: 100, order: "strict" }),
        );
        expect(found.sound).toBe(true);
        expect(found.probes.find(({ id }) => id === "reordered-write")?.found).toContain("SEQUENCE_GAP");
      });
    });
  });

  describe("adopts and resets", () => {
    it.each(forms)(
      "through %s: row and record change in one step, and the new lineage writes",
      async (form) => {
        await inScene(async (scene) => {
          const guard = scene.guard(scene.client(form));
          const old = await guard.claim(fence());
          await old.transaction(async (tx) => scene.put(tx, "old"));
          const adopted = await guard.operator.adopt({
            election: "invoices",
            from: seen,
            lineage: "default/raft",
            ...signed,
          });
          expect(await rejection(old.transaction(async (tx) => scene.put(tx, "late")))).toMatchObject({
            code: "FOREIGN_LINEAGE",
          });
          const [row] = await guard.inspect();
          expect(row?.row).toMatchObject({ lineage: "default/raft", watermark: 7, seq: 0 });
          const raft = fence({ lineage: "default/raft", token: 8, owner: "raft" });
          const handle = await guard.claim(raft);
          await handle.transaction(async (tx) => scene.put(tx, "new"));
          expect(await scene.content()).toEqual(["old", "new"]);
          const forgotten = await guard.operator.reset({
            election: "invoices",
            from: { lineage: "default/raft", watermark: 8 },
            watermark: "forget",
            ...signed,
          });
          expect(await guard.inspect()).toEqual([]);
          expect(await guard.operator.acts()).toEqual([forgotten, adopted]);
          expect((await rowCounts(scene)).slice(0, 2)).toEqual([0, 0]);
        });
      },
    );

    it("when something else stands there than was seen, nothing is changed and nothing recorded", async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.pool());
        await guard.claim(fence());
        const order = { election: "invoices", from: { ...seen, watermark: 6 }, watermark: 1, ...signed };
        expect(await rejection(guard.operator.reset(order))).toMatchObject({
          code: "FENCE_CHANGED",
          found: { ...seen, owner: "a" },
        });
        expect((await rowCounts(scene)).at(-1)).toBe(0);
        expect((await guard.inspect())[0]?.row).toMatchObject({ ...seen, owner: "a" });
      });
    });

    it("when the record cannot be written, the row stays as it was", async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.pool());
        await guard.claim(fence());
        await scene.admin.query(`DROP TABLE ${scene.tables.act}`);
        const order = { election: "invoices", from: seen, watermark: 1, ...signed };
        expect(await rejection(guard.operator.reset(order))).toMatchObject({ code: "GUARD_TABLES_MISSING" });
        expect((await guard.inspect())[0]?.row.watermark).toBe(7);
      });
    });

    it.each(["before", "after"] as const)(
      "when the answer is lost %s the commit, it is unconfirmed, and the record says whether it was done",
      async (when) => {
        await inScene(async (scene) => {
          const { client, breakNext } = breakable(scene.client("promises"));
          const guard = scene.guard(client);
          await guard.claim(fence());
          breakNext(when);
          const order = { election: "invoices", from: seen, watermark: 1, ...signed };
          const error = await rejection(guard.operator.reset(order));
          expect(error).toMatchObject({ code: "ACT_UNCONFIRMED", outcome: "unknown" });
          const isDone = when === "after";
          expect(await guard.operator.acts()).toHaveLength(isDone ? 1 : 0);
          expect((await guard.inspect())[0]?.row.watermark).toBe(isDone ? 1 : 7);
        });
      },
    );

    it("when a claim comes while it waits, the act sees that claim, and does nothing", async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 20_000 });
        await guard.claim(fence());
        const claiming = await scene.admin.getConnection();
        await claiming.query(`BEGIN; UPDATE ${scene.tables.fence} SET watermark = 8, owner = 'b'`);
        const order = { election: "invoices", from: seen, watermark: 1, ...signed };
        const acting = rejection(guard.operator.reset(order));
        await scene.waiting(1);
        await claiming.query("COMMIT");
        claiming.release();
        expect(await acting).toMatchObject({ code: "FENCE_CHANGED", found: { watermark: 8, owner: "b" } });
        expect((await guard.inspect())[0]?.row).toMatchObject({ watermark: 8, owner: "b" });
        expect(await guard.operator.acts()).toEqual([]);
      });
    });

    it("while a write stands in the way, the act waits, names it, and does nothing", async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100 });
        const handle = await guard.claim(fence());
        const order = { election: "invoices", from: seen, watermark: 1, ...signed };
        await handle.transaction(async (tx) => {
          await scene.put(tx, "under way");
          expect(await rejection(guard.operator.reset(order))).toMatchObject({
            code: "CLAIM_BLOCKED",
            blockers: [{ token: 7 }],
          });
        });
        expect(await guard.operator.acts()).toEqual([]);
        expect((await guard.operator.reset(order)).after?.watermark).toBe(1);
      });
    });

    it("a record holds the longest of all texts, and comes back letter by letter", async () => {
      await inScene(async (scene) => {
        // Each of these is written twice as long, or six times in JSON.
        const [names, lineages] = [1_024, 2_048].map((bytes) => "\\\0".repeat(bytes / 2));
        const [election = "", lineage = ""] = [names, lineages];
        const long = { namespace: election, election, lineage };
        const guard = scene.guard(scene.pool(), { resource: election });
        const owner = "\u{1f5dd}".repeat(50);
        await guard.claim(fence({ ...long, owner }));
        const acted = await guard.operator.reset({
          ...{ namespace: election, election, from: { lineage, watermark: 7 }, watermark: 2 ** 52 },
          ...{ by: "\0".repeat(200), reason: "\u{1f5dd}".repeat(125) },
        });
        expect(acted.before).toEqual({ lineage, watermark: 7, owner });
        expect(await guard.operator.acts()).toEqual([acted]);
      });
    });

    it("resources whose names differ by case, or by spaces at the end, keep their rows and acts apart", async () => {
      await inScene(async (scene) => {
        const pool = scene.pool();
        const guards = ["ledger", "ledger ", "Ledger"].map((resource) => scene.guard(pool, { resource }));
        const [first, ...others] = guards;
        for (const guard of guards) await guard.claim(fence());
        await first?.operator.reset({ election: "invoices", from: seen, watermark: "forget", ...signed });
        expect(await first?.inspect()).toEqual([]);
        expect(await first?.operator.acts()).toHaveLength(1);
        for (const guard of others) {
          expect(await guard.inspect()).toHaveLength(1);
          expect(await guard.operator.acts()).toEqual([]);
        }
      });
    });
  });
});
