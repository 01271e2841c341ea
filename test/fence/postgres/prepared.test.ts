/** Statements that a connection keeps ready: which, and what becomes of a write when the server keeps them no more. */

import type pg from "pg";
import { describe, expect, it } from "vitest";
import { Prepared } from "../../../src/fence/postgres/prepared.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../claims.js";
import type { Scene } from "./scene.js";
import { postgresScope } from "./scope.js";

const begin = { text: "BEGIN", control: "begin" } as const;
const look = { text: "SELECT a FROM t WHERE id = ? AND n < ?", values: ["it's", 3], answer: "rows" } as const;
const check = { text: "SELECT 1 / ?", values: [1], answer: "rows", witness: "proves" } as const;

describe("the statements of a message", () => {
  it("when a text comes for the first time all go as literals, and are kept from then on", () => {
    const prepared = new Prepared();
    expect(prepared.stepsOf([begin, look], false)).toBeUndefined();
    const steps = prepared.stepsOf([begin, look], false);
    expect(steps).toMatchObject([
      { kept: { text: "BEGIN", stands: false }, values: [], asked: false },
      { kept: { text: "SELECT a FROM t WHERE id = $1 AND n < $2", stands: false }, asked: true },
    ]);
    expect(steps).toMatchObject([
      {},
      { kept: { name: expect.stringMatching(/^tenure_[a-z0-9-]{34,48}$/) as unknown } },
    ]);
  });

  it("when a transaction was named by a statement, its portal proves it; else the statement does", () => {
    const prepared = new Prepared();
    expect(prepared.stepsOf([check], false)).toBeUndefined();
    expect(prepared.stepsOf([check], false)).toMatchObject([
      { kept: { text: "SELECT 1 / $1" }, values: [1] },
    ]);
    const [named] = [{ ...look, witness: "names" } as const];
    prepared.stepsOf([named], false);
    expect(prepared.stepsOf([named], false)).toMatchObject([{ portal: "tenure_write" }]);
    expect(prepared.stepsOf([check], true)).toEqual([{ proves: "tenure_write" }]);
  });

  it("when there are more texts than a guard has, the rest goes as literals", () => {
    const prepared = new Prepared();
    const texts = Array.from({ length: 100 }, (_, n) => ({ text: `SELECT ${n} + ?`, values: [n] }));
    for (const one of texts) prepared.stepsOf([one], false);
    expect(texts.filter((one) => prepared.stepsOf([one], false) !== undefined)).toHaveLength(64);
  });

  it("when it was given up, everything goes as literals", () => {
    const prepared = new Prepared();
    prepared.stepsOf([look], false);
    prepared.giveUp();
    for (const _ of [1, 2]) expect(prepared.stepsOf([look], false)).toBeUndefined();
  });
});

describeWithServer("postgres", "statements that a connection of PostgreSQL keeps", () => {
  const { inScene } = postgresScope();

  /** On one connection, beside which nothing runs. */
  async function onOneConnection(
    scene: Scene,
    work: (pool: pg.Pool, put: (value: string) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const pool = scene.pool({ max: 1 });
    const handle = await scene.guard(pool).claim(fence());
    await work(pool, async (value) => handle.transaction(async (tx) => scene.put(tx, value)));
  }

  const names = async (pool: pg.Pool): Promise<readonly string[]> => {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT name FROM pg_prepared_statements WHERE name LIKE 'tenure_%' ORDER BY name",
    );
    return rows.map(({ name }) => name);
  };

  it("when writes follow one another, they prepare nothing new", async () => {
    await inScene(async (scene) =>
      onOneConnection(scene, async (pool, put) => {
        for (const value of ["a", "b", "c"]) await put(value);
        const kept = await names(pool);
        expect(kept.length).toBeGreaterThan(2);
        for (const value of ["d", "e"]) await put(value);
        expect(await names(pool)).toEqual(kept);
        expect(await scene.content()).toEqual(["a", "b", "c", "d", "e"]);
      }),
    );
  });

  it("when the session has forgotten them, the write is applied all the same, and once", async () => {
    await inScene(async (scene) =>
      onOneConnection(scene, async (pool, put) => {
        for (const value of ["a", "b", "c"]) await put(value);
        await pool.query("DISCARD ALL");
        for (const value of ["d", "e", "f"]) await put(value);
        expect(await scene.content()).toEqual(["a", "b", "c", "d", "e", "f"]);
        expect(await names(pool)).toEqual([]);
      }),
    );
  });

  it("when the body makes the session forget them, nothing is committed, and the body runs once more", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool({ max: 1 })).claim(fence());
      for (const value of ["a", "b", "c"]) await handle.transaction(async (tx) => scene.put(tx, value));
      let bodies = 0;
      await handle.transaction(async (tx) => {
        bodies += 1;
        await scene.put(tx, "d");
        await tx.query("DEALLOCATE ALL");
      });
      expect(bodies).toBe(2);
      expect(await scene.content()).toEqual(["a", "b", "c", "d"]);
    });
  });

  it("when the body ends the transaction and begins another, the write is not answered as applied", async () => {
    await inScene(async (scene) => {
      const handle = await scene.guard(scene.pool({ max: 1 })).claim(fence());
      for (const value of ["a", "b", "c"]) await handle.transaction(async (tx) => scene.put(tx, value));
      for (const end of ["ROLLBACK", "ROLLBACK; BEGIN", "COMMIT; BEGIN"]) {
        const write = handle.transaction(async (tx) => {
          await tx.query(end);
          await scene.put(tx, "outside");
        });
        expect(await rejection(write), end).toMatchObject({ code: "GUARD_FAILED" });
      }
      // After a rollback alone, each statement of the body is committed by itself.
      expect(await scene.content()).toEqual(["a", "b", "c", "outside"]);
    });
  });

  it("when somebody else has prepared them on this session, the write is applied, and once", async () => {
    await inScene(async (scene) => {
      let texts: readonly { readonly name: string; readonly text: string }[] = [];
      await onOneConnection(scene, async (pool, put) => {
        for (const value of ["a", "b", "c"]) await put(value);
        const { rows } = await pool.query<{ name: string; statement: string }>(
          "SELECT name, statement FROM pg_prepared_statements WHERE name LIKE 'tenure_%'",
        );
        // In SQL nobody can prepare what begins or ends a transaction.
        const preparable = rows.filter(({ statement }) => /^(?:SELECT|UPDATE)/.test(statement));
        texts = preparable.map(({ name, statement }) => ({
          name,
          text: `PREPARE "${name}" AS ${statement}`,
        }));
      });
      await onOneConnection(scene, async (pool, put) => {
        const own = await names(pool);
        const others = texts.filter(({ name }) => !own.includes(name));
        expect(others.length).toBeGreaterThan(0);
        for (const { text } of others) await pool.query(text);
        for (const value of ["d", "e", "f"]) await put(value);
        expect(await scene.content()).toEqual(["a", "b", "c", "d", "e", "f"]);
      });
    });
  });
});
