/**
 * Leaders that are stopped inside a transaction: the server ends it, and the successor goes on.
 *
 * Real processes on a real server; needs the build. What is done to a process hangs on what it has told.
 */

import type { Socket } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import { type PostgresServer, startPostgres } from "../../servers/postgres.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Rival, runRival } from "../../support/rivals.js";
import { fence } from "../scene.js";
import { claimUntil, rejection } from "./claims.js";
import { type ClientName, Scene } from "./scene.js";

interface Told {
  readonly kind: "inside" | "applied" | "refused";
  readonly code?: string;
}

const script = fileURLToPath(new URL("child.mjs", import.meta.url));
let server: PostgresServer;

/** A leader with token 7 that stands still inside of a write. */
async function standing(
  scene: Scene,
  client: ClientName,
  remainingMs: number,
): Promise<{ readonly child: Rival; readonly goOn: () => Promise<Told> }> {
  const folder = await mkdtemp(join(tmpdir(), "tenure-freeze-"));
  const hook = join(folder, "hook");
  const told: Told[] = [];
  const args = [client, scene.url, scene.schema, "7", String(remainingMs), hook];
  const child = await new Promise<Rival>((resolve) => {
    runRival<Told>(script, args, (line, rival) => {
      told.push(line);
      resolve(rival);
    });
  });
  expect(told).toEqual([{ kind: "inside" }]);
  const goOn = async () => {
    await writeFile(hook, "");
    child.process.kill("SIGCONT");
    expect(await child.exited).toEqual([0, null]);
    await rm(folder, { recursive: true });
    const last = told.at(-1);
    if (last === undefined || told.length < 2) throw new Error("it told nothing when it went on");
    return last;
  };
  return { child, goOn };
}

describeWithServer("postgres", "a leader that is stopped inside a transaction", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server.stop());

  async function inScene(work: (scene: Scene) => Promise<void>): Promise<void> {
    const scene = await Scene.open(server.url);
    try {
      // The tables are an operator's here.
      await scene.guard(scene.pool()).claim(fence({ token: 1 }));
      await work(scene);
    } finally {
      await scene.close();
    }
  }

  for (const client of ["pg", "postgres.js"] as const) {
    it(`when its term is over, the successor's claim goes through, and nothing of it is committed when it wakes up (${client})`, async () => {
      await inScene(async (scene) => {
        const remainingMs = 1_500;
        const { child, goOn } = await standing(scene, client, remainingMs);
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
        const { child, goOn } = await standing(scene, client, 600_000);
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
