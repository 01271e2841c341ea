/** `statement()` and `refusalOf` in transactions that ORMs open, also as docs/guards/mysql.md shows them. */

import { drizzle } from "drizzle-orm/mysql2";
import { sql } from "drizzle-orm";
import { CompiledQuery, Kysely, MysqlDialect } from "kysely";
import mysql from "mysql2";
import promised from "mysql2/promise";
import { DataSource } from "typeorm";
import { afterAll, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import type { Claimant } from "../../../src/fence/fence.js";
import type { FenceStatement, MysqlHandle } from "../../../src/fence/mysql/index.js";
import { createPrismaClient } from "../../servers/prisma.js";
import { describeWithServer } from "../../servers/with-server.js";
import { moduleOf, Modules } from "../orms/snippets.js";
import { fence } from "../scene.js";
import { rejection } from "../claims.js";
import { run, type Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";

interface Sending {
  check(statement: FenceStatement): Promise<unknown>;
  write(text: string): Promise<unknown>;
}

interface Orm {
  /** What the page's function is given. */
  readonly db: unknown;
  transaction(work: (sending: Sending) => Promise<void>): Promise<unknown>;
  close(): Promise<unknown>;
}

/** The function of the page: marks an invoice as sent, in a transaction that begins with the statement. */
type Send = (
  db: unknown,
  ledger: Pick<MysqlHandle<unknown>, "statement" | "refusalOf">,
  id: string,
) => Promise<void>;

/** What the function of each has on the page, and no other. */
const marks: Readonly<Record<string, string>> = {
  Kysely: 'from "kysely"',
  Drizzle: 'from "drizzle-orm"',
  TypeORM: 'from "typeorm"',
  Prisma: "PrismaClient",
};

const modules = new Modules();

const orms: Readonly<Record<string, (url: string) => Promise<Orm>>> = {
  async Kysely(url) {
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: mysql.createPool({ uri: url }) }) });
    return {
      db,
      transaction: async (work) =>
        db.transaction().execute(async (tx) =>
          work({
            check: async ({ text, values }) => tx.executeQuery(CompiledQuery.raw(text, [...values])),
            write: async (text) => tx.executeQuery(CompiledQuery.raw(text)),
          }),
        ),
      close: async () => db.destroy(),
    };
  },
  async Drizzle(url) {
    const pool = promised.createPool({ uri: url });
    const db = drizzle(pool);
    return {
      db,
      transaction: async (work) =>
        db.transaction(async (tx) =>
          work({
            check: async ({ inline }) => tx.execute(sql.raw(inline)),
            write: async (text) => tx.execute(sql.raw(text)),
          }),
        ),
      close: async () => pool.end(),
    };
  },
  async TypeORM(url) {
    const source = await new DataSource({ type: "mariadb", url }).initialize();
    return {
      db: source,
      transaction: async (work) =>
        source.transaction(async (manager) =>
          work({
            check: async ({ text, values }) => manager.query<unknown>(text, [...values]),
            write: async (text) => manager.query<unknown>(text),
          }),
        ),
      close: async () => source.destroy(),
    };
  },
  async Prisma(url) {
    const prisma = createPrismaClient(url);
    return {
      db: prisma,
      transaction: async (work) =>
        prisma.$transaction(async (tx) =>
          work({
            check: async ({ text, values }) => tx.$queryRawUnsafe(text, ...values),
            write: async (text) => tx.$executeRawUnsafe(text),
          }),
        ),
      close: async () => prisma.$disconnect(),
    };
  },
};

describeWithServer("mariadb", "the statement of the MySQL guard in other people's transactions", () => {
  const { inScene } = mysqlScope();
  afterAll(() => modules.remove());

  for (const [name, open] of Object.entries(orms)) {
    const inOrm = async (work: (scene: Scene, orm: Orm) => Promise<void>): Promise<void> =>
      inScene(async (scene) => {
        const orm = await open(scene.url);
        try {
          await work(scene, orm);
        } finally {
          await orm.close();
        }
      });
    const put = ({ database }: Scene, value: string) =>
      `INSERT INTO ${database}.ledger (resource, value) VALUES ('"ledger"', '"${value}"')`;

    it(`when the term stands, the transaction is committed, and a claim waits for it (${name})`, async () => {
      await inOrm(async (scene, orm) => {
        const handle = await scene.guard(scene.pool()).claim(fence({ token: 2 ** 52 - 1 }));
        const guard = scene.guard(scene.pool(), { claimLockTimeoutMs: 100 });
        const successor = fence({ token: 2 ** 52, owner: "b" });
        await orm.transaction(async ({ check, write }) => {
          await check(handle.statement());
          await write(put(scene, name));
          expect(await rejection(guard.claim(successor))).toMatchObject({ code: "CLAIM_BLOCKED" });
        });
        await guard.claim(successor);
        expect(await scene.content()).toEqual([name]);
      });
    });

    it(`when a successor has claimed, it fails with the reason, and all of the transaction is rolled back (${name})`, async () => {
      await inOrm(async (scene, orm) => {
        const handle = await scene.guard(scene.pool()).claim(fence());
        await scene.guard(scene.pool()).claim(fence({ token: 8, owner: "b" }));
        const transaction = orm.transaction(async ({ check, write }) => {
          await write(put(scene, "before"));
          await check(handle.statement());
          await write(put(scene, "after"));
        });
        const error = await rejection(transaction);
        expect(handle.refusalOf(error)).toMatchObject({
          code: "STALE",
          watermark: 8,
          owner: "b",
          cause: error,
        });
        expect(await scene.content()).toEqual([]);
        await orm.transaction(async ({ write }) => void (await write(put(scene, "next"))));
        expect(await scene.content()).toEqual(["next"]);
      });
    });

    it(`when it does what the page shows, a refusal is STALE and tells the term, and the connection is of use again (${name})`, async () => {
      await inScene(async (scene) => {
        await scene.admin.query(
          `CREATE TABLE ${scene.database}.invoice (id VARCHAR(36) PRIMARY KEY, sent_at DATETIME);
           INSERT INTO ${scene.database}.invoice (id) VALUES ('1'), ('2')`,
        );
        const code = moduleOf("docs/guards/mysql.md", marks[name] ?? name);
        const { send } = await modules.load<{ readonly send: Send }>(`mysql-${name}.mjs`, code);
        const orm = await open(scene.url.replace(/\/tenure$/, `/${scene.database}`));
        try {
          const told: number[] = [];
          const claimant: Claimant = { fence: fence(), outpaced: (watermark) => void told.push(watermark) };
          const guard = scene.guard(scene.pool());
          const handle = await guard.claim(claimant);
          await send(orm.db, handle, "1");
          expect(await sent(scene)).toEqual(["1"]);
          const successor = await guard.claim(fence({ token: 8, owner: "b" }));
          const error = await rejection(send(orm.db, handle, "2"));
          if (!TenureError.is(error, "STALE")) throw error;
          expect(error).toMatchObject({ watermark: 8, owner: "b", outcome: "definite" });
          expect(TenureError.is(error.cause)).toBe(false);
          expect(told).toEqual([8]);
          expect(await sent(scene)).toEqual(["1"]);
          await send(orm.db, successor, "2");
          expect(await sent(scene)).toEqual(["1", "2"]);
        } finally {
          await orm.close();
        }
      });
    });
  }
});

async function sent({ admin, database }: Scene): Promise<readonly unknown[]> {
  const text = `SELECT id FROM ${database}.invoice WHERE sent_at IS NOT NULL ORDER BY id`;
  return (await run(admin, text)).map(({ id }) => id);
}
