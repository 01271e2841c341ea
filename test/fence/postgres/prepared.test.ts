/** Statements that a connection keeps ready: which, and what becomes of a write when the server keeps them no more. */

import type pg from "pg";
import { describe, expect, it } from "vitest";
import { Prepared } from "../../../src/fence/postgres/prepared.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import type { Scene } from "./scene.js";
import { postgresScope } from "./scope.js";

const begin = { text: "BEGIN", control: "begin" } as const;
const look = { text: "SELECT a FROM t WHERE id = ? AND n < ?", values: ["it's", 3] };

describe("the statements of a message", () => {
  it("when a text comes for the first time it is sent as it is, then prepared, then only executed", () => {
    const prepared = new Prepared();
    expect(prepared.inOneMessage([begin, look]).text).toBe(
      "BEGIN;\nSELECT a FROM t WHERE id = E'it''s' AND n < 3",
    );
    const second = prepared.inOneMessage([begin, look]);
    expect(second.text).toMatch(
      /^BEGIN;\nPREPARE ("tenure_[a-z0-9-]{34,48}") AS SELECT a FROM t WHERE id = \$1 AND n < \$2;\nEXECUTE \1\(E'it''s', 3\)$/,
    );
    prepared.stands(second.prepares);
    expect(prepared.inOneMessage([begin, { ...look, values: ["b", 4] }]).text).toMatch(
      /^BEGIN;\nEXECUTE "tenure_[a-z0-9-]{34,48}"\(E'b', 4\)$/,
    );
  });

  it("when a message that prepares has failed, the next one prepares again", () => {
    const prepared = new Prepared();
    prepared.inOneMessage([look]);
    expect(prepared.inOneMessage([look]).prepares).toEqual(prepared.inOneMessage([look]).prepares);
  });

  it("when there are more texts than a guard has, the rest is sent as it is", () => {
    const prepared = new Prepared();
    const texts = Array.from({ length: 100 }, (_, n) => ({ text: `SELECT ${n} + ?`, values: [n] }));
    prepared.inOneMessage(texts);
    expect(prepared.inOneMessage(texts).prepares).toHaveLength(64);
  });

  it("when it was given up, everything is sent as it is", () => {
    const prepared = new Prepared();
    prepared.inOneMessage([look]);
    prepared.giveUp();
    for (const _ of [1, 2]) expect(prepared.inOneMessage([look])).toMatchObject({ executes: false });
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

  it("when somebody else has prepared them on this session, the write is applied, and once", async () => {
    await inScene(async (scene) => {
      let texts: readonly { readonly name: string; readonly text: string }[] = [];
      await onOneConnection(scene, async (pool, put) => {
        for (const value of ["a", "b", "c"]) await put(value);
        const { rows } = await pool.query<{ name: string; statement: string }>(
          "SELECT name, statement FROM pg_prepared_statements WHERE name LIKE 'tenure_%'",
        );
        texts = rows.map(({ name, statement }) => ({
          name,
          text: statement.split(";").find((one) => one.includes(`PREPARE "${name}"`)) ?? "",
        }));
      });
      await onOneConnection(scene, async (pool, put) => {
        const own = await names(pool);
        const others = texts.filter(({ name }) => !own.includes(name));
        expect(others.length).toBeGreaterThan(2);
        for (const { text } of others) await pool.query(text);
        for (const value of ["d", "e", "f"]) await put(value);
        expect(await scene.content()).toEqual(["a", "b", "c", "d", "e", "f"]);
      });
    });
  });
});
