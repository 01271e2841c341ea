/** Claims that wait: who is named, who is ended, and who is not. */

import { expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../postgres/claims.js";
import { type Scene, sessionOf } from "./scene.js";
import { mysqlScope } from "./scope.js";

const successor = fence({ token: 8, owner: "b" });

describeWithServer("mariadb", "a claim that waits for the MySQL guard's lock", () => {
  const { inScene } = mysqlScope();

  it("when a predecessor's transaction holds it, the error names session, token and since when", async () => {
    await inScene(async (scene) => {
      const { session, end } = await holding(scene, fence());
      const waiting = scene.guard(scene.pool(), { claimLockTimeoutMs: 100 });
      const error = await rejection(waiting.claim(successor));
      if (!TenureError.is(error, "CLAIM_BLOCKED")) throw error;
      expect(error).toMatchObject({ outcome: "definite", retry: "later" });
      expect(error.blockers).toMatchObject([{ session, token: 7 }]);
      const ageMs = Date.now() - Date.parse(error.blockers[0]?.since ?? "");
      expect(ageMs).toBeGreaterThanOrEqual(100);
      expect(ageMs).toBeLessThan(30_000);
      expect(String(error)).toContain(`session ${session} under token 7 since `);
      expect(await end()).toBe("committed");
      await waiting.claim(successor);
    });
  });

  it("when somebody who takes no part holds it, nobody is named and nobody is ended", async () => {
    await inScene(async (scene) => {
      const writer = await scene.guard(scene.pool()).claim(fence());
      // Its session stands in the row of its number, and is over.
      await writer.transaction(async (tx) => scene.put(tx, "done"));
      const stranger = await scene.admin.getConnection();
      await stranger.query(`BEGIN; SELECT 1 FROM ${scene.tables.fence} LOCK IN SHARE MODE`);
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100, evictStale: true });
      expect(await rejection(guard.claim(successor))).toMatchObject({ code: "CLAIM_BLOCKED", blockers: [] });
      await stranger.query("COMMIT");
      stranger.release();
      await guard.claim(successor);
    });
  });

  it("when somebody who takes no part claims by hand, the claim waits for the write", async () => {
    await inScene(async (scene) => {
      // At "repeatable read" taking a number locks the row as well.
      const { end } = await holding(scene, fence(), "ledger", "read committed");
      const byHand = `SET innodb_lock_wait_timeout = 1; BEGIN; UPDATE ${scene.tables.fence} SET watermark = 8; COMMIT`;
      const stranger = await scene.admin.getConnection();
      expect(await rejection(stranger.query(byHand))).toMatchObject({ errno: 1205 });
      await stranger.query("ROLLBACK");
      expect(await end()).toBe("committed");
      await stranger.query(byHand);
      stranger.release();
    });
  });

  it("when stale sessions are ended, those of other elections, resources and higher tokens go on", async () => {
    await inScene(async (scene) => {
      const others = [
        await holding(scene, fence({ election: "reports", token: 3 })),
        await holding(scene, fence({ namespace: "other", token: 3 })),
        await holding(scene, fence({ token: 3 }), "other"),
      ];
      const stale = await holding(scene, fence());
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100, evictStale: true });
      const handle = await guard.claim(successor);
      expect(await stale.end()).toBe("failed");
      for (const other of others) expect(await other.end()).toBe("committed");
      // Its own transactions, and those of whoever is above it, are no predecessor's.
      const higher = await holding(scene, fence({ token: 9, owner: "c" }));
      const late = await rejection(handle.transaction(async () => {}));
      expect(late).toMatchObject({ code: "STALE" });
      expect(await higher.end()).toBe("committed");
    });
  });

  it("when the claim is refused, or repeated, it waits for nobody", async () => {
    await inScene(async (scene) => {
      const { end } = await holding(scene, fence());
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100 });
      expect(await rejection(guard.claim(fence({ token: 6 })))).toMatchObject({ code: "STALE" });
      expect(await rejection(guard.claim(fence({ owner: "twin" })))).toMatchObject({ code: "CONFLICT" });
      await guard.claim(fence());
      expect(await end()).toBe("committed");
    });
  });
});

/** A write that stands still inside its transaction until it is told to end. */
async function holding(
  scene: Scene,
  own: Parameters<typeof fence>[0],
  resource = "ledger",
  isolation: "read committed" | "repeatable read" = "repeatable read",
): Promise<{ readonly session: number; readonly end: () => Promise<"committed" | "failed"> }> {
  const handle = await scene.guard(scene.pool(), { resource, isolation }).claim(fence(own));
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let settled: Promise<"committed" | "failed"> | undefined;
  const session = await new Promise<number>((inside) => {
    const write = handle.transaction(async (tx) => {
      await scene.put(tx, "held", resource);
      inside(await sessionOf(tx));
      await held;
    });
    settled = write.then(
      () => "committed",
      () => "failed",
    );
  });
  return {
    session,
    end: async () => {
      goOn();
      return settled ?? "failed";
    },
  };
}
