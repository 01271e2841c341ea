/** Ticks are done once in every guard, each through the statements that docs/once-per-tick.md gives for it. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PoolClient } from "pg";
import type { PoolConnection } from "mysql2/promise";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileGuard } from "../../../src/fence/file/index.js";
import { memoryGuard } from "../../../src/fence/memory/index.js";
import { mysqlGuard } from "../../../src/fence/mysql/index.js";
import { postgresGuard } from "../../../src/fence/postgres/index.js";
import { oncePerTick } from "../../../src/fence/once-per-tick.js";
import type { ValueGuard } from "../../../src/fence/value-guard.js";
import { type RedisServer, startRedis } from "../../servers/redis.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Connected, connect } from "../../stores/redis/clients.js";
import { mysqlScope } from "../mysql/scope.js";
import { rejection } from "../claims.js";
import { breakablePool, breakableSql } from "../postgres/replies.js";
import { postgresScope } from "../postgres/scope.js";
import { breakable, Scene as RedisScene } from "../redis/scene.js";
import type { RemoteDatabase } from "../sqlite/remote.js";
import { fence } from "../scene.js";
import { SqliteScene } from "../sqlite/scene.js";
import { ofMysql, ofPostgres, ofPostgresJs, ofRedis, ofSqlite, ofValue, type Value } from "./records.js";
import { type InMarked, lostAnswerSuite, type Marked, tickSuite } from "./suite.js";

const resource = "ledger";
const initial: Value = { ticks: null, lines: [] };

function inValue(guard: ValueGuard<Value>): Marked<{ value: Value }> {
  return {
    claim: async (by) => guard.claim(by),
    record: ofValue,
    effect: (tx, line) => void (tx.value.lines = [...tx.value.lines, line]),
    lines: async () => (await guard.inspect()).value.lines,
  };
}

describe("ticks in a value", () => {
  tickSuite("memory", async (work) => work(inValue(memoryGuard({ resource, initial }))));

  tickSuite("file", async (work) => {
    const home = await mkdtemp(join(tmpdir(), "tenure-ticks-"));
    try {
      return await work(inValue(fileGuard(home, { resource, initial })));
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

describeWithServer("node22", "ticks in SQLite", () => {
  const inSqlite: InMarked = async (work) => {
    const scene = new SqliteScene();
    try {
      scene.admin.exec(ofSqlite.table);
      const guard = scene.guard(scene.admin);
      return await work<RemoteDatabase>({
        claim: async (by) => guard.claim(by),
        record: ofSqlite.record,
        effect: (tx, line) => scene.put(tx, line),
        lines: async () => scene.content(),
      });
    } finally {
      await scene.close();
    }
  };
  tickSuite("node:sqlite", inSqlite);

  it("when the body returns a promise, the tick is refused and neither done nor marked", async () => {
    await inSqlite(async ({ claim, record, lines, effect }) => {
      const handle = await claim({ fence: fence() });
      const due = { schedule: "nightly", tick: "2026-11-29T02:00Z", record };
      const waiting = oncePerTick(handle, due, async () => "later");
      expect(await rejection(waiting)).toMatchObject({ code: "INVALID_OPTION" });
      const done = await oncePerTick(handle, due, (tx) => effect(tx, "once"));
      expect([done.kind, await lines()]).toEqual(["ran", ["once"]]);
    });
  });
});

describeWithServer("postgres", "ticks in PostgreSQL", () => {
  const { inScene, server } = postgresScope();
  let schemas = 0;

  /** A schema of its own, in which the names of the page need no schema before them. */
  const prepared = async (): Promise<string> => {
    const schema = `ticks_${(schemas += 1)}`;
    await server().query(`CREATE SCHEMA ${schema}`);
    await server().query(`CREATE TABLE ${schema}.line (n bigserial PRIMARY KEY, line text NOT NULL)`);
    await server().query(ofPostgres.table.replace("tick_record", `${schema}.tick_record`));
    return schema;
  };
  const lines = async (schema: string) => {
    const rows = await server().query(`SELECT line FROM ${schema}.line ORDER BY n`);
    return rows.map(({ line }) => String(line));
  };

  const throughPg: InMarked = async (work) => {
    const schema = await prepared();
    await inScene(async (scene) => {
      const pool = scene.pool({ options: `-c search_path=${schema}` });
      const { client, breakNext } = breakablePool(pool);
      const guard = postgresGuard(client, { resource, create: true });
      await work<PoolClient>({
        claim: async (by) => guard.claim(by),
        record: ofPostgres.record,
        effect: async (tx, line) => void (await tx.query("INSERT INTO line (line) VALUES ($1)", [line])),
        lines: async () => lines(schema),
        loseAnswer: () => breakNext("after"),
      });
    });
  };
  tickSuite("pg", throughPg);
  lostAnswerSuite("pg", throughPg);

  const throughPostgresJs: InMarked = async (work) => {
    const schema = await prepared();
    await inScene(async (scene) => {
      const { client, breakNext } = breakableSql(scene.sql({ connection: { search_path: schema } }));
      const guard = postgresGuard(client, { resource, create: true });
      await work<TransactionSql>({
        claim: async (by) => guard.claim(by),
        record: ofPostgresJs.record,
        effect: async (tx, line) => void (await tx`INSERT INTO line (line) VALUES (${line})`),
        lines: async () => lines(schema),
        loseAnswer: () => breakNext("after"),
      });
    });
  };
  tickSuite("postgres.js", throughPostgresJs);
  lostAnswerSuite("postgres.js", throughPostgresJs);
});

describeWithServer("mariadb", "ticks in MariaDB", () => {
  const { inScene } = mysqlScope();

  tickSuite("mysql2", async (work) => {
    await inScene(async (scene) => {
      const pool = scene.pool({ database: scene.database });
      await pool.query(ofMysql.table);
      const guard = mysqlGuard(pool, { resource, create: true });
      await work<PoolConnection>({
        claim: async (by) => guard.claim(by),
        record: ofMysql.record,
        effect: async (tx, line) => scene.put(tx, line),
        lines: async () => scene.content(),
      });
    });
  });
});

describeWithServer("redis", "ticks in Redis", () => {
  let server: RedisServer;
  let connected: Connected;
  beforeAll(async () => {
    server = await startRedis();
    connected = await connect("ioredis-6", server.url);
  });
  afterAll(async () => {
    connected.close();
    await server.stop();
  });

  const throughIoredis: InMarked = async (work) => {
    const { client, breakNext } = breakable(connected.client);
    const scene = new RedisScene(server, client);
    const guard = scene.guard({ resource });
    const key = scene.key("lines");
    const parse = (text: unknown) => JSON.parse(typeof text === "string" ? text : "[]") as readonly string[];
    return work({
      claim: async (by) => guard.claim(by),
      record: ofRedis(scene.key("ticks")),
      effect: async (tx, line) => tx.set(key, JSON.stringify([...parse(await tx.get(key)), line])),
      lines: async () => parse(await server.command("GET", key)),
      loseAnswer: () => breakNext("after"),
    });
  };
  tickSuite("ioredis", throughIoredis);
  lostAnswerSuite("ioredis", throughIoredis);
});
