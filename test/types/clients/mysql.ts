/** Pools of mysql2, as its package types them in both forms; what a transaction is given is theirs. */

import { createPool, type PoolConnection, type RowDataPacket } from "mysql2";
import promised from "mysql2/promise";
import { fences } from "tenure/fence";
import { mysqlGuard } from "tenure/fence/mysql";

const callbacks = createPool("mysql://127.0.0.1");
const promises = promised.createPool("mysql://127.0.0.1");
const throughCallbacks = mysqlGuard(callbacks, {
  resource: "a",
  isolation: "read committed",
  evictStale: true,
});
const throughPromises = mysqlGuard(promises, { resource: "b", create: true });

async function promisedWork(tx: promised.PoolConnection): Promise<unknown> {
  const [rows] = await tx.query<RowDataPacket[]>("SELECT 1 AS id");
  return rows[0]?.["id"];
}

async function callbackWork(tx: PoolConnection): Promise<string> {
  return new Promise((resolve, reject) => {
    tx.query("SELECT 1", (error) => (error ? reject(error) : resolve("done")));
  });
}

export const work = fences({ one: throughCallbacks, other: throughPromises }, async ({ one, other }) => {
  const id: string = await one.transaction(callbackWork, { opId: "one" });
  const again: unknown = await other.transaction(async (tx) => promisedWork(tx));
  await other.read(async (tx) => tx.query("SELECT 1"));
  const { text, values, inline } = other.statement();
  return [id, again, text, values, inline];
});

// @ts-expect-error A single connection cannot be shared out.
mysqlGuard({ query() {} }, { resource: "a" });
// @ts-expect-error It would lock what it looks at.
mysqlGuard(promises, { resource: "a", isolation: "serializable" });
// @ts-expect-error It names what it guards.
mysqlGuard(callbacks, {});
