/**
 * Leaders that are stopped inside a transaction: the server ends it, and the successor goes on.
 *
 * Real processes on a real server; needs the build. What is done to a process hangs on what it has told.
 */

import type { Socket } from "node:net";
import { expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { claimUntil, rejection } from "../postgres/claims.js";
import { forms, run, type Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";
import { standing } from "./standing.js";

describeWithServer("mariadb", "a leader that is stopped inside a transaction", () => {
  const scope = mysqlScope();
  const inScene = async (work: (scene: Scene) => Promise<void>): Promise<void> =>
    scope.inScene(async (scene) => {
      // The tables are an operator's here.
      await scene.guard(scene.pool()).claim(fence({ token: 1 }));
      await work(scene);
    });

  for (const form of forms) {
    it(`when its term is over, the successor's claim goes through, and nothing of it is committed when it wakes up (${form})`, async () => {
      await inScene(async (scene) => {
        const remainingMs = 1_500;
        const { child, goOn } = await standing(scene, form, 7, remainingMs);
        const stoppedAt = performance.now();
        child.process.kill("SIGSTOP");
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 300 });
        const { handle, blocked } = await claimUntil(guard, fence({ token: 8, owner: "b" }));
        await handle.transaction(async (tx) => scene.put(tx, "successor"));
        const tookMs = performance.now() - stoppedAt;
        expect(blocked.length).toBeGreaterThan(0);
        expect(blocked[0]?.blockers).toMatchObject([{ token: 7 }]);
        expect(tookMs).toBeLessThan(remainingMs + 2_000);
        const woken = await goOn();
        expect(woken.kind).toBe("refused");
        expect(await scene.content()).toEqual(["successor"]);
      });
    });

    it(`when stale sessions may be ended, the successor does not wait for the term (${form})`, async () => {
      await inScene(async (scene) => {
        const { child, goOn } = await standing(scene, form, 7, 600_000);
        child.process.kill("SIGSTOP");
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 200, evictStale: true });
        const handle = await guard.claim(fence({ token: 8, owner: "b" }));
        await handle.transaction(async (tx) => scene.put(tx, "successor"));
        expect((await goOn()).kind).toBe("refused");
        expect(await scene.content()).toEqual(["successor"]);
      });
    });
  }

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
