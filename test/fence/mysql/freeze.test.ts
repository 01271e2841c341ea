/** Leaders that stand still inside a transaction: stopped, or reading nothing of what the server sends. */

import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { claimUntil, rejection } from "../claims.js";
import { fence } from "../scene.js";
import { frozenSuite } from "../sql/frozen.js";
import { run } from "./scene.js";
import { mysqlScope } from "./scope.js";
import { describeStand } from "./stand.js";

describeStand("a leader that is stopped inside a transaction", frozenSuite);

describeWithServer("mariadb", "a leader that does not read", () => {
  const { inScene } = mysqlScope();

  it("when it reads nothing of what the server sends it, the server ends its session, and the claim goes through", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool(), { timeoutMs: 1_000 }).claim(fence({ token: 7 }));
      let resume = () => {};
      let failed: Promise<unknown> = Promise.resolve();
      const flooding = new Promise<void>((flooded) => {
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "flooded");
          const { stream } = tx.connection as unknown as { readonly stream: Socket };
          stream.pause();
          resume = () => void stream.resume();
          const flood = run(tx, "SELECT repeat('x', 1000000) FROM information_schema.columns LIMIT 200");
          flooded();
          await flood;
        });
        failed = rejection(write);
      });
      await flooding;
      const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 1_000 });
      const { blocked } = await claimUntil(guard, fence({ token: 8, owner: "b" })).finally(() => resume());
      // The server's second, which may end before the claim's own.
      expect(blocked.length).toBeLessThan(6);
      expect(TenureError.is(await failed)).toBe(false);
      expect(await scene.content()).toEqual([]);
    });
  });
});
