/** The check as one statement, in transactions that somebody else opens. */

import type { PoolClient } from "pg";
import { expect, it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../claims.js";
import type { Scene } from "./scene.js";
import { postgresScope } from "./scope.js";

describeWithServer("postgres", "the statement of the PostgreSQL guard", () => {
  const { inScene } = postgresScope();

  const odd = fence({ token: 2 ** 52, owner: "o'wner \\ $1 ? \0", lineage: "de'fault/lease" });

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
        const tx = await scene.admin.connect();
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
        expect(String(error)).toMatch(/TENURE_REFUSED: claimed as .*"watermark":8,"owner":"b"/);
        expect(handle.refusalOf(error)).toMatchObject({ code: "STALE", watermark: 8, owner: "b" });
      });
    });
  }

  it("when the claim was wiped, it fails too", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      await scene.admin.query(`TRUNCATE ${scene.tables.fence}`);
      const error = await stale(scene, async (tx) => tx.query(handle.statement().inline));
      expect(String(error)).toContain("TENURE_REFUSED: never claimed");
    });
  });

  it("when a claim waits for it, the claim names its token and can end its session", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      const tx = await scene.admin.connect();
      tx.on("error", () => {});
      await tx.query("BEGIN");
      await tx.query(handle.statement().inline);
      await scene.put(tx, "orm");
      const successor = fence({ token: 8, owner: "b" });
      const patient = scene.guard(scene.pool(), { claimLockTimeoutMs: 100 });
      expect(await rejection(patient.claim(successor))).toMatchObject({ blockers: [{ token: 7 }] });
      await scene.guard(scene.pool(), { claimLockTimeoutMs: 100, evictStale: true }).claim(successor);
      await rejection(tx.query("COMMIT"));
      tx.release(true);
      expect(await scene.content()).toEqual([]);
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
      const [words = ""] = /TENURE_REFUSED.*?\}/.exec(String(error)) ?? [];
      const quoted = await rejection(scene.admin.query(`SELECT CAST($1 AS text)::integer`, [words]));
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

  it("when it waits for a claim in progress, it sees that claim", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool()).claim(fence());
      const claiming = await scene.admin.connect();
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

/** What a transaction that begins with the statement fails with; nothing of it may stand. */
async function stale(scene: Scene, send: (tx: PoolClient) => Promise<unknown>): Promise<unknown> {
  const tx = await scene.admin.connect();
  await tx.query("BEGIN");
  const error = await rejection(send(tx));
  await rejection(scene.put(tx, "stale"));
  await tx.query("COMMIT");
  tx.release();
  expect(await scene.content()).toEqual([]);
  return error;
}
