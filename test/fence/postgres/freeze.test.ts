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
import { claimUntil, rejection } from "./claims.js";
import type { Scene } from "./scene.js";
import { postgresScope } from "./scope.js";
import { standing } from "./standing.js";

describeWithServer("postgres", "a leader that is stopped inside a transaction", () => {
  const scope = postgresScope();
  const inScene = async (work: (scene: Scene) => Promise<void>): Promise<void> =>
    scope.inScene(async (scene) => {
      // The tables are an operator's here.
      await scene.guard(scene.pool()).claim(fence({ token: 1 }));
      await work(scene);
    });

  for (const client of ["pg", "postgres.js"] as const) {
    it(`when its term is over, the successor's claim goes through, and nothing of it is committed when it wakes up (${client})`, async () => {
      await inScene(async (scene) => {
        const remainingMs = 1_500;
        const { child, goOn } = await standing(scene, client, 7, remainingMs);
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

    it(`when stale sessions may be ended, the successor does not wait for the term (${client})`, async () => {
      await inScene(async (scene) => {
        const { child, goOn } = await standing(scene, client, 7, 600_000);
        child.process.kill("SIGSTOP");
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 200, evictStale: true });
        const handle = await guard.claim(fence({ token: 8, owner: "b" }));
        await handle.transaction(async (tx) => scene.put(tx, "successor"));
        expect((await goOn()).kind).toBe("refused");
        expect(await scene.content()).toEqual(["successor"]);
      });
    });
  }

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
