/** The check as one statement, in transactions that somebody else opens. */

import type { PoolConnection } from "mysql2/promise";
import { expect, it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../postgres/claims.js";
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
        expect(String(error)).toContain("TENURE_REFUSED: claimed under token 8 by b");
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

  it("when it waits for a claim in progress, it sees that claim", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      const claiming = await scene.admin.getConnection();
      await claiming.query(`BEGIN; UPDATE ${scene.tables.fence} SET watermark = 8, owner = 'b'`);
      const failed = stale(scene, async (tx) => tx.query(handle.statement().inline));
      await scene.waiting(1);
      await claiming.query("COMMIT");
      claiming.release();
      expect(String(await failed)).toContain("claimed under token 8");
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
