/** Sessions of mysql2 whatever the pool is set to, and what becomes of those that are given up. */

import mysql from "mysql2";
import { describe, expect, it } from "vitest";
import { mysqlDialect } from "../../../src/fence/mysql/dialect.js";
import { mysqlGuard, mysqlSchema } from "../../../src/fence/mysql/index.js";
import { hex, inlined } from "../../../src/fence/mysql/literal.js";
import { type Connection, MysqlSession } from "../../../src/fence/mysql/session.js";
import { describeWithServer } from "../../servers/with-server.js";
import { rejection } from "../claims.js";
import { fence } from "../scene.js";
import { run } from "./scene.js";
import { mysqlScope } from "./scope.js";

describeWithServer("mariadb", "sessions of the MySQL guard", () => {
  const { inScene, url } = mysqlScope();

  it("when a session is given up while a statement runs, the statement is rejected, and the socket is closed", async () => {
    const pool = mysql.createPool({ uri: url() });
    const connection = await new Promise<mysql.PoolConnection>((resolve, reject) => {
      pool.getConnection((error, given) => (error ? reject(error) : resolve(given)));
    });
    const session = new MysqlSession(connection, connection as unknown as Connection);
    const { stream } = connection as unknown as { readonly stream: { readonly destroyed: boolean } };
    const running = rejection(session.run([{ text: "SELECT SLEEP(60)", answer: "rows" }]));
    session.release(true);
    expect(String(await running)).toContain("given up");
    expect(stream.destroyed).toBe(true);
    await pool.promise().end();
  });

  it.each([
    ["rows as arrays", { rowsAsArray: true }],
    ["rows by table", { nestTables: true }],
    ["no conversion of types", { typeCast: false }],
    ["numbers as text", { supportBigNumbers: true, bigNumberStrings: true }],
    ["named placeholders", { namedPlaceholders: true }],
    ["rows that were found not counted", { flags: ["-FOUND_ROWS"] }],
    ["several statements in one message", { multipleStatements: true }],
  ])("when the pool is set to %s, claims and writes are answered all the same", async (_, options) => {
    await inScene(async (scene) => {
      const guard = scene.guard(scene.pool({ ...options, connectionLimit: 1 }), { rememberOperations: 8 });
      const handle = await guard.claim(fence());
      const send = async () => handle.transaction(async () => ({ é: "ü:a ?" }), { opId: "one" });
      const answers = [await send(), await send()];
      expect(answers).toEqual([{ é: "ü:a ?" }, { é: "ü:a ?" }]);
      expect(await guard.inspect()).toMatchObject([{ row: { watermark: 7, owner: "a", seq: 1 } }]);
    });
  });

  it.each(["ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,IGNORE_SPACE", "", "TRADITIONAL"])(
    "when sql_mode is '%s', names of any letters are kept apart and come back whole",
    async (mode) => {
      await inScene(async (scene) => {
        const pool = scene.pool({ connectionLimit: 1 });
        await pool.query("SET sql_mode = ?", [mode]);
        const odd = { namespace: "n'\\\"\0 ", election: "ÄÖ? :a", owner: "o'\\ é🙂 ", lineage: "l\\'/lease" };
        const guard = scene.guard(pool, { resource: "r'\\ " });
        await guard.claim(fence(odd));
        expect(await rejection(guard.claim(fence({ ...odd, owner: odd.owner.trim() })))).toMatchObject({
          code: "CONFLICT",
          owner: odd.owner,
        });
        const handle = await guard.claim(fence(odd));
        for (const opId of ["op", "op ", "OP", "o\\p", "ö"])
          await handle.transaction(async () => opId, { opId });
        await run(pool, handle.statement().inline);
        const { namespace, election, lineage, owner } = odd;
        expect(await guard.inspect()).toMatchObject([
          { namespace, election, row: { lineage, owner, seq: 5, last: { opId: "ö" } } },
        ]);
      });
    },
  );
});

describe("what goes to MySQL", () => {
  it("when values hold more than plain characters, they go as their bytes", () => {
    const text = inlined({ text: "SELECT ?, ?, ?, ?", values: ["a-b_1: c/d", "it's\\", null, 2 ** 52] });
    expect(text).toBe("SELECT 'a-b_1: c/d', _utf8mb4 X'697427735C', NULL, 4503599627370496");
    expect(hex("é")).toBe("C3A9");
  });

  it("when names of tables are chosen, they stand quoted in every statement", () => {
    const statements = mysqlSchema({ fence: "app.f", attempt: "app.a", operation: "app.o", act: "app.x" });
    expect(statements.map((text) => /`app`\.`(\w)`/.exec(text)?.[1])).toEqual(["f", "a", "o", "x"]);
  });

  it("when serializable is asked for, it is refused with what there is", () => {
    const pool = { getConnection() {}, promise() {} };
    const options = { resource: "ledger", isolation: "serializable" };
    expect(() => mysqlGuard(pool, options as never)).toThrow(/isolation .*"repeatable read"/);
  });

  it.each([
    [1062, "taken"],
    [1213, "again"],
    [1205, "locked"],
    [1969, "locked"],
    [3024, "locked"],
    [1146, "tables-missing"],
    [1094, "gone"],
    [4031, "ended"],
    [1317, "lost"],
    [1927, "lost"],
    [1053, "lost"],
    [1305, "other"],
  ])("error %i of the server is %s", (errno, failure) => {
    expect(mysqlDialect.failure(Object.assign(new Error("x"), { errno, sqlState: "HY000" }))).toBe(failure);
  });

  it.each(["ECONNRESET", "PROTOCOL_CONNECTION_LOST", undefined])("%s of a socket is lost", (code) => {
    expect(mysqlDialect.failure(Object.assign(new Error("x"), { code, errno: -104 }))).toBe("lost");
  });
});
