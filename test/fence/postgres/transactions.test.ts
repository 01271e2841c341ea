/** What the PostgreSQL guard makes of transactions that go wrong, and of many at once. */

import { expect, it } from "vitest";
import type { Claimant } from "../../../src/fence/fence.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { claimUntil, rejection } from "./claims.js";
import { pidOf, run, type Scene, type Tx } from "./scene.js";
import { postgresScope } from "./scope.js";

describeWithServer("postgres", "transactions under the PostgreSQL guard", () => {
  const { inScene } = postgresScope();

  for (const name of ["pg", "postgres.js"] as const) {
    const inTerm = async (
      work: (scene: Scene, handle: Awaited<ReturnType<typeof claimed>>) => Promise<void>,
    ): Promise<void> => inScene(async (scene) => work(scene, await claimed(scene)));
    const claimed = async (scene: Scene, claimant: Claimant = { fence: fence() }) =>
      scene.guard(scene.client(name), { timeoutMs: 500 }).claim(claimant);

    it(`when the body has caught the error of a statement, nothing is committed and it is not answered as done (${name})`, async () => {
      await inTerm(async (scene, handle) => {
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "half");
          await rejection(run(tx, "SELECT 1 / 0", []));
          return "done";
        });
        expect(await rejection(write)).toMatchObject({ code: "GUARD_FAILED" });
        expect(await scene.content()).toEqual([]);
        await handle.transaction(async (tx) => scene.put(tx, "next"));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when the body ends the transaction by itself, the write is not answered as applied (${name})`, async () => {
      await inTerm(async (scene, handle) => {
        for (const [end, kept] of [
          ["ROLLBACK", []],
          ["ROLLBACK; BEGIN", []],
          ["COMMIT", ["mine"]],
        ] as const) {
          const write = handle.transaction(async (tx) => {
            await scene.put(tx, "mine");
            await simple(tx, end);
          });
          expect(await rejection(write), end).toMatchObject({ code: "GUARD_FAILED" });
          expect(await scene.content(), end).toEqual(kept);
        }
      });
    });

    it(`when the body does nothing for longer than timeoutMs, its session is ended and nothing is applied (${name})`, async () => {
      await inTerm(async (scene, handle) => {
        let goOn = () => {};
        const ended = new Promise<void>((resolve) => (goOn = resolve));
        const write = handle.transaction(async (tx) => {
          const pid = await pidOf(tx);
          await scene.put(tx, "slow");
          void gone(scene, pid).then(goOn);
          await ended;
          // On a session that is over: refused, and on no other session either.
          await scene.put(tx, "late");
        });
        await rejection(write);
        expect(await scene.content()).toEqual([]);
        await handle.transaction(async (tx) => scene.put(tx, "next"));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when one statement runs for longer than timeoutMs, it is ended and nothing is applied (${name})`, async () => {
      await inTerm(async (scene, handle) => {
        const write = handle.transaction(async (tx) => {
          await scene.put(tx, "slow");
          await run(tx, "SELECT pg_sleep(30)::text", []);
        });
        expect(await rejection(write)).toMatchObject({ code: "57014" });
        expect(await scene.content()).toEqual([]);
      });
    });

    it(`when the session is killed under the body, the attempt is not applied and can be written again (${name})`, async () => {
      await inTerm(async (scene, handle) => {
        const write = handle.transaction(
          async (tx) => {
            await scene.put(tx, "killed");
            await run(scene.admin, "SELECT pg_terminate_backend($1::int)", [String(await pidOf(tx))]);
            await scene.put(tx, "late");
          },
          { opId: "one" },
        );
        await rejection(write);
        await handle.transaction(async (tx) => scene.put(tx, "again"), { opId: "one" });
        expect(await scene.content()).toEqual(["again"]);
      });
    });

    it(`when the term has less left than timeoutMs, the server is told the lesser (${name})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(name), { timeoutMs: 60_000 });
        const shown = async (remainingMs: number) => {
          const handle = await guard.claim({ fence: fence(), remainingMs: () => remainingMs });
          return handle.transaction(async (tx) => {
            const text = `SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')
              || ' ' || current_setting('idle_in_transaction_session_timeout') AS shown`;
            return (await run(tx, text, []))[0]?.["shown"];
          });
        };
        expect(await shown(3_500)).toBe("3500ms 3500ms 3500ms");
        expect(await shown(0)).toBe("1s 1s 1s");
        expect(await shown(600_000)).toBe("1min 1min 1min");
      });
    });

    it(`when 16 writers of one term write at once, they share the lock and none waits for another's end (${name})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(name)).claim(fence());
        let inside = 0;
        let allInside = () => {};
        const together = new Promise<void>((resolve) => (allInside = resolve));
        const writes = Array.from({ length: 16 }, async (_, index) =>
          handle.transaction(async (tx) => {
            await scene.put(tx, String(index));
            inside += 1;
            if (inside === 16) allInside();
            await together;
          }),
        );
        await Promise.all(writes);
        expect(await scene.content()).toHaveLength(16);
      });
    });

    it(`when writers never pause, a claim is not passed by later ones (${name})`, async () => {
      await inScene(async (scene) => {
        const handle = await scene.guard(scene.client(name)).claim(fence());
        let applied = 0;
        let underWay = () => {};
        const steady = new Promise<void>((resolve) => (underWay = resolve));
        const writers = Array.from({ length: 16 }, async () => {
          for (;;) {
            await handle.transaction(async (tx) => scene.put(tx, "old"));
            applied += 1;
            if (applied === 50) underWay();
          }
        });
        const refusals = Promise.all(writers.map(rejection));
        await steady;
        const successor = await scene.guard(scene.pool()).claim(fence({ token: 8, owner: "b" }));
        const before = await scene.content();
        await successor.transaction(async (tx) => scene.put(tx, "new"));
        for (const error of await refusals) expect(error).toMatchObject({ code: "STALE", watermark: 8 });
        expect(await scene.content()).toEqual([...before, "new"]);
      });
    });

    it(`when an attempt is sent again while its first send is under way, it waits for it and is answered (${name})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(name));
        // Bare fences: both handles number the write by themselves, and both as number 1.
        const [first, second] = [await guard.claim(fence()), await guard.claim(fence())];
        let goOn = () => {};
        const held = new Promise<void>((resolve) => (goOn = resolve));
        let bodies = 0;
        const send = async (handle: typeof first, inside: () => void) =>
          handle.transaction(
            async (tx) => {
              bodies += 1;
              await scene.put(tx, "once");
              inside();
              await held;
              return "done";
            },
            { opId: "one" },
          );
        let one: Promise<string> = Promise.resolve("");
        await new Promise<void>((inside) => {
          one = send(first, inside);
        });
        const again = send(second, () => {});
        await scene.waiting(1);
        goOn();
        expect([await one, await again, bodies]).toEqual(["done", "done", 1]);
        expect(await scene.content()).toEqual(["once"]);
      });
    });

    it(`when an operation comes again under another number while its first send is under way, it waits for it and is answered (${name})`, async () => {
      await inScene(async (scene) => {
        const guard = scene.guard(scene.client(name));
        const handle = await guard.claim(fence());
        let goOn = () => {};
        const held = new Promise<void>((resolve) => (goOn = resolve));
        let bodies = 0;
        const send = async (inside: () => void) =>
          handle.transaction(
            async (tx) => {
              bodies += 1;
              await scene.put(tx, "once");
              inside();
              await held;
              return "done";
            },
            // As a fresh name of number 1: the second send is number 2.
            { opId: "1.one" },
          );
        let one: Promise<string> = Promise.resolve("");
        await new Promise<void>((inside) => {
          one = send(inside);
        });
        const again = send(() => {});
        await scene.waiting(1);
        goOn();
        expect([await one, await again, bodies]).toEqual(["done", "done", 1]);
        expect(await scene.content()).toEqual(["once"]);
      });
    });

    for (const isolation of ["read committed", "repeatable read", "serializable"] as const) {
      it(`when a claim comes between the lock's request and its grant, the write is STALE under ${isolation} (${name})`, async () => {
        await inScene(async (scene) => {
          const client = scene.client(name);
          const old = await scene.guard(client, { isolation }).claim(fence());
          const blocker = await scene.admin.connect();
          // The successor's claim stands on a lock that somebody else holds; the write queues behind it.
          await blocker.query(`BEGIN; SELECT 1 FROM ${scene.tables.fence} FOR KEY SHARE`);
          const claiming = claimUntil(scene.guard(scene.pool()), fence({ token: 8, owner: "b" }));
          await scene.waiting(1);
          const write = rejection(old.transaction(async (tx) => scene.put(tx, "stale")));
          await scene.waiting(2);
          await blocker.query("ROLLBACK");
          blocker.release();
          await claiming;
          expect(await write).toMatchObject({ code: "STALE", watermark: 8 });
          expect(await scene.content()).toEqual([]);
        });
      });
    }
  }
});

/** Resolves when the session is over; its client may not have heard of it. */
async function gone(scene: Scene, pid: number): Promise<void> {
  for (;;) {
    const found = await run(scene.admin, "SELECT pid::text FROM pg_stat_activity WHERE pid = $1", [
      String(pid),
    ]);
    if (found.length === 0) return;
  }
}

async function simple(tx: Tx, text: string): Promise<void> {
  if (typeof tx === "function") await tx.unsafe(text);
  else await tx.query(text);
}
