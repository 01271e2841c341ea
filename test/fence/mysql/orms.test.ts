/** The statement in transactions that ORMs and query builders open: what they roll back is all of it. */

import { drizzle } from "drizzle-orm/mysql2";
import { sql } from "drizzle-orm";
import { CompiledQuery, Kysely, MysqlDialect } from "kysely";
import mysql from "mysql2";
import promised from "mysql2/promise";
import { DataSource } from "typeorm";
import { expect, it } from "vitest";
import type { FenceStatement } from "../../../src/fence/mysql/index.js";
import { createPrismaClient } from "../../servers/prisma.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { rejection } from "../postgres/claims.js";
import type { Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";

interface Sending {
  check(statement: FenceStatement): Promise<unknown>;
  write(text: string): Promise<unknown>;
}

interface Orm {
  transaction(work: (sending: Sending) => Promise<void>): Promise<unknown>;
  close(): Promise<unknown>;
}

const orms: Readonly<Record<string, (url: string) => Promise<Orm>>> = {
  async Kysely(url) {
    const db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: mysql.createPool({ uri: url }) }) });
    return {
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
    return {
      transaction: async (work) =>
        drizzle(pool).transaction(async (tx) =>
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
        expect(reasons(await rejection(transaction))).toContain("TENURE_REFUSED: claimed under token 8 by b");
        expect(await scene.content()).toEqual([]);
        await orm.transaction(async ({ write }) => void (await write(put(scene, "next"))));
        expect(await scene.content()).toEqual(["next"]);
      });
    });
  }
});

/** Some wrap what the driver said. */
function reasons(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${reasons(error.cause)}` : "";
}
