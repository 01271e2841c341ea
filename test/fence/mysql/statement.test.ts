/** The check as one statement, in transactions that somebody else opens. */

import type { PoolConnection } from "mysql2/promise";
import { expect, it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../claims.js";
import type { Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";

describeWithServer("mariadb", "the statement of the MySQL guard", () => {
  const { inScene } = mysqlScope();

  const odd = fence({ token: 2 ** 52, owner: "o'wner \\ $1 ? \0 é", lineage: "de'fault/lease" });

  for (const form of ["text", "inline"] as const) {
    const send = async (
      tx: { query(text: string, values?: unknown[]): Promise<unknown> },
      handle: Statements,
    ) => {
      const { text, values, inline } = handle.statement();
      return form === "text" ? tx.query(text, [...values]) : tx.query(inline);
    };

    it(`when the term stands, it passes and holds a claim off until the transaction ends (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.pool()).claim(odd);
        const tx = await scene.admin.getConnection();
        await tx.query("BEGIN");
        await send(tx, handle);
        await scene.put(tx, "orm");
        const higher = fence({
          election: odd.election,
          lineage: odd.lineage,
          token: 2 ** 52,
          owner: odd.owner,
        });
        await handle.transaction(async (own) => scene.put(own, "guard"));
        await scene.guard(scene.pool()).claim(higher);
        expect(await scene.content()).toEqual(["guard"]);
        await tx.query("COMMIT");
        tx.release();
        expect(await scene.content()).toEqual(["orm", "guard"]);
      });
    });

    it(`when a successor has claimed, it fails with the reason, and so does the transaction (${form})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.pool()).claim(fence());
        await scene.guard(scene.pool()).claim(fence({ token: 8, owner: "b" }));
        const error = await stale(scene, async (tx) => send(tx, handle));
        expect(String(error)).toContain("TENURE_REFUSED: 8 by b ");
        expect(handle.refusalOf(error)).toMatchObject({ code: "STALE", watermark: 8, owner: "b" });
      });
    });
  }

  it("when the claim was wiped, it fails too", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      await scene.admin.query(`DELETE FROM ${scene.tables.fence}`);
      const error = await stale(scene, async (tx) => tx.query(handle.statement().inline));
      expect(String(error)).toContain("TENURE_REFUSED: never claimed");
    });
  });

  it("when a claim waits for it, the claim says that it cannot tell whom it waits for", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      const tx = await scene.admin.getConnection();
      await tx.query("BEGIN");
      await tx.query(handle.statement().inline);
      await scene.put(tx, "orm");
      const successor = fence({ token: 8, owner: "b" });
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100, evictStale: true });
      expect(await rejection(guard.claim(successor))).toMatchObject({ code: "CLAIM_BLOCKED", blockers: [] });
      await tx.query("COMMIT");
      tx.release();
      await guard.claim(successor);
      expect(await scene.content()).toEqual(["orm"]);
    });
  });

  it("when another error quotes the words of a refusal, or it is another handle's, it is taken for none", async () => {
    await inScene(async (scene) => {
      const told: number[] = [];
      const outpaced = (watermark: number) => void told.push(watermark);
      const guard = scene.guard(scene.pool());
      const handle = await guard.claim({ fence: fence(), outpaced });
      const older = await guard.claim({ fence: fence(), outpaced });
      await guard.claim(fence({ token: 8, owner: "b" }));
      const error = await stale(scene, async (tx) => tx.query(older.statement().inline));
      expect(handle.refusalOf(error)).toBeUndefined();
      const [words = ""] = /TENURE_REFUSED: 8 by b/.exec(String(error)) ?? [];
      const quoted = await rejection(scene.admin.query("SELECT IS_FREE_LOCK(RPAD(?, 250, ' '))", [words]));
      expect(String(quoted)).toContain(words);
      // A driver that shows the statement shows the tag, and no refusal.
      const shown = new Error(handle.statement().inline, { cause: quoted });
      for (const other of [quoted, shown, undefined, "TENURE_REFUSED", new Error("of the work")]) {
        expect(handle.refusalOf(other)).toBeUndefined();
      }
      expect(told).toEqual([]);
      expect(older.refusalOf(new Error("of an ORM", { cause: error }))).toMatchObject({ code: "STALE" });
      expect(told).toEqual([8]);
    });
  });

  const long: readonly (readonly [string, string])[] = [
    ["o".repeat(45), "o".repeat(45)],
    ["o".repeat(46), `${"o".repeat(45)}…`],
    ["\n".repeat(30), "\n".repeat(30)],
    ["\u{1f5dd}".repeat(50), `${"\u{1f5dd}".repeat(7)}…`],
    ["\\".repeat(200), `${"\\".repeat(15)}…`],
  ];
  it("when an error is too short for whom it is about, the name is cut, and all else is said", async () => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool());
      for (const [index, [name, said]] of long.entries()) {
        const election = `election-${index}`;
        const handle = await guard.claim(fence({ election }));
        await guard.claim(fence({ election, token: 2 ** 52, owner: name }));
        const refusal = handle.refusalOf(
          await stale(scene, async (tx) => tx.query(handle.statement().inline)),
        );
        expect(refusal).toMatchObject({ code: "STALE", watermark: 2 ** 52, owner: said });
        const foreign = await guard.claim(fence({ election: `foreign-${index}` }));
        await guard.operator.adopt({
          ...{
            election: `foreign-${index}`,
            from: { lineage: "default/lease", watermark: 7 },
            lineage: name,
          },
          ...{ by: "kim", reason: "a test" },
        });
        const other = foreign.refusalOf(
          await stale(scene, async (tx) => tx.query(foreign.statement().inline)),
        );
        expect(other).toMatchObject({ code: "FOREIGN_LINEAGE", lineage: said });
      }
    });
  });

  it("when it waits for a claim in progress, it sees that claim", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      const claiming = await scene.admin.getConnection();
      await claiming.query(`BEGIN; UPDATE ${scene.tables.fence} SET watermark = 8, owner = 'b'`);
      const failed = stale(scene, async (tx) => tx.query(handle.statement().inline));
      await scene.waiting(1);
      await claiming.query("COMMIT");
      claiming.release();
      expect(handle.refusalOf(await failed)).toMatchObject({ code: "STALE", watermark: 8 });
    });
  });
});

interface Statements {
  statement(): {
    readonly text: string;
    readonly values: readonly (string | number)[];
    readonly inline: string;
  };
}

/** What a transaction fails with whose statement comes behind a write; nothing of it may stand. */
async function stale(scene: Scene, send: (tx: PoolConnection) => Promise<unknown>): Promise<unknown> {
  const tx = await scene.admin.getConnection();
  await tx.query("BEGIN");
  await scene.put(tx, "stale");
  const error = await rejection(send(tx));
  await tx.query("ROLLBACK");
  tx.release();
  expect(await scene.content()).toEqual([]);
  return error;
}
