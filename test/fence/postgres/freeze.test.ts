/** Leaders that stand still inside a transaction: stopped, or reading nothing of what the server sends. */

import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { frozenSuite } from "../sql/frozen.js";
import { postgresScope } from "./scope.js";
import { describeStand } from "./stand.js";

describeStand("a leader that is stopped inside a transaction", frozenSuite);

describeWithServer("postgres", "a leader that does not read", () => {
  const { inScene } = postgresScope();

  it("when it reads nothing of what the server sends it, no timeout ends its session, and the claim can", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool(), { timeoutMs: 500 }).claim(fence({ token: 7 }));
      let resume = () => {};
      let failed: Promise<unknown> = Promise.resolve();
      const flooding = new Promise<void>((flooded) => {
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "flooded");
          const { stream } = tx.connection as unknown as { readonly stream: Socket };
          stream.pause();
          resume = () => void stream.resume();
          const flood = tx.query("SELECT repeat('x', 1000000) FROM generate_series(1, 200)");
          flooded();
          await flood;
        });
        failed = rejection(write);
      });
      await flooding;
      const patient = scene.guard(scene.pool(), { claimLockTimeoutMs: 1_500 });
      const successor = fence({ token: 8, owner: "b" });
      expect(await rejection(patient.claim(successor))).toMatchObject({
        code: "CLAIM_BLOCKED",
        blockers: [{ token: 7 }],
      });
      await scene.guard(scene.pool(), { claimLockTimeoutMs: 300, evictStale: true }).claim(successor);
      resume();
      expect(TenureError.is(await failed)).toBe(false);
      expect(await scene.content()).toEqual([]);
    });
  });
});
