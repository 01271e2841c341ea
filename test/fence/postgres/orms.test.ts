/** `statement()` and `refusalOf` in transactions that ORMs open, as docs/guards/postgres.md shows them. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import type { Claimant } from "../../../src/fence/fence.js";
import { describeWithServer } from "../../servers/with-server.js";
import { Modules } from "../orms/snippets.js";
import { fence } from "../scene.js";
import { claimUntil, rejection } from "../claims.js";
import { openOrm, type Orm, orms } from "./orms.js";
import { run, type Scene } from "./scene.js";
import { postgresScope } from "./scope.js";

const successor = fence({ token: 8, owner: "b" });
const modules = new Modules();
const stalled = fileURLToPath(new URL("stalled-child.mjs", import.meta.url));

describeWithServer("postgres", "the statement of the PostgreSQL guard", () => {
  const scope = postgresScope();
  afterAll(() => modules.remove());

  const withInvoices = async (work: (scene: Scene) => Promise<void>): Promise<void> =>
    scope.inScene(async (scene) => {
      await scene.admin.query(
        `CREATE TABLE ${scene.schema}.invoice (id text PRIMARY KEY, sent_at timestamptz);
         INSERT INTO ${scene.schema}.invoice VALUES ('1'), ('2')`,
      );
      await work(scene);
    });

  // It throws where nobody can catch it, so that it stands still in a process of its own.
  it("when a transaction of postgres.js stands still, the server ends it, a claim goes through, and nothing of it is applied", async () => {
    await withInvoices(async (scene) => {
      const handle = await scene.guard(scene.pool(), { timeoutMs: 500 }).claim(fence());
      const url = `${scope.server().url}?options=${encodeURIComponent(`-c search_path=${scene.schema}`)}`;
      const child = spawn(process.execPath, [stalled, url, handle.statement().inline], {
        stdio: ["pipe", "pipe", "ignore"],
      });
      const exited = once(child, "exit");
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect(JSON.parse(String((await lines.next()).value))).toEqual({ kind: "inside" });
      const { handle: next } = await claimUntil(scene.guard(scene.pool()), successor);
      // It may be gone already.
      child.stdin.on("error", () => {});
      child.stdin.write("go on\n");
      await exited;
      const { value: last = '{ "kind": "gone" }' } = (await lines.next()) as { readonly value?: string };
      expect(["gone", "refused"]).toContain((JSON.parse(last) as { readonly kind: string }).kind);
      await next.transaction(async () => {});
      expect(await sent(scene)).toEqual([]);
    });
  });

  const withOrm = async (
    name: string,
    work: (scene: Scene, orm: Orm) => Promise<void>,
    urlOf: () => Promise<string> | string = () => scope.server().url,
  ): Promise<void> =>
    withInvoices(async (scene) => {
      const orm = await openOrm(modules, name, await urlOf(), scene.schema);
      try {
        await work(scene, orm);
      } finally {
        await orm.close();
      }
    });

  describe.each(Object.keys(orms))("in a transaction of %s", (name) => {
    it("when the term stands, the transaction is committed, time after time", async () => {
      await withOrm(name, async (scene, orm) => {
        const handle = await scene.guard(scene.pool()).claim(fence());
        await orm.send(handle, "1");
        expect(await sent(scene)).toEqual(["1"]);
        await orm.send(handle, "2");
        expect(await sent(scene)).toEqual(["1", "2"]);
      });
    });

    it("when a successor has claimed, it is STALE, nothing is applied, and the term is told", async () => {
      await withOrm(name, async (scene, orm) => {
        const told: number[] = [];
        const claimant: Claimant = { fence: fence(), outpaced: (watermark) => void told.push(watermark) };
        const guard = scene.guard(scene.pool());
        const handle = await guard.claim(claimant);
        await guard.claim(successor);
        const error = await rejection(orm.send(handle, "1"));
        if (!TenureError.is(error, "STALE")) throw error;
        expect(error).toMatchObject({ watermark: 8, owner: "b", outcome: "definite" });
        expect(TenureError.is(error.cause)).toBe(false);
        expect(told).toEqual([8]);
        expect(await sent(scene)).toEqual([]);
        // The ORM has its connection back, in order.
        await orm.send(await guard.claim(successor), "2");
        expect(await sent(scene)).toEqual(["2"]);
      });
    });

    it("when its transaction is under way, a claim waits for its end and names it", async () => {
      await withOrm(name, async (scene, orm) => {
        const handle = await scene.guard(scene.pool()).claim(fence());
        const blocker = await scene.admin.connect();
        await blocker.query(`BEGIN; SELECT 1 FROM ${scene.schema}.invoice FOR UPDATE`);
        const sending = orm.send(handle, "1");
        await scene.waiting(1);
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 50 });
        expect(await rejection(guard.claim(successor))).toMatchObject({
          code: "CLAIM_BLOCKED",
          blockers: [{ token: 7 }],
        });
        await blocker.query("COMMIT");
        blocker.release();
        await sending;
        await guard.claim(successor);
        expect(await sent(scene)).toEqual(["1"]);
      });
    });
  });

  const surviving = Object.keys(orms).filter((name) => orms[name]?.endsProcess !== true);
  describe.each(surviving)("in a transaction of %s", (name) => {
    it("when it stands still, the server ends it, a claim goes through, and the next transaction finds a session", async () => {
      const proxy = await scope.server().proxy();
      await withOrm(
        name,
        async (scene, orm) => {
          const guard = scene.guard(scene.pool(), { timeoutMs: 500 });
          const handle = await guard.claim(fence());
          const stalled = proxy.hold("to-server", { matching: isUpdate });
          const sending = rejection(orm.send(handle, "1"));
          await proxy.held();
          // Nobody looks who blocks it: on a slow machine the session may be gone by then.
          await claimUntil(scene.guard(scene.pool(), { claimLockTimeoutMs: 100 }), successor);
          await stalled.end();
          const error = await sending;
          expect(TenureError.is(error)).toBe(false);
          expect(await sent(scene)).toEqual([]);
          await orm.send(await guard.claim(successor), "2");
          expect(await sent(scene)).toEqual(["2"]);
        },
        () => proxy.url,
      );
      await proxy.close();
    });
  });
});

function isUpdate(message: Buffer): boolean {
  return /update/i.test(message.toString("latin1"));
}

async function sent(scene: Scene): Promise<readonly (string | undefined)[]> {
  const text = `SELECT id FROM ${scene.schema}.invoice WHERE sent_at IS NOT NULL ORDER BY id`;
  return (await run(scene.admin, text, [])).map(({ id }) => id);
}
