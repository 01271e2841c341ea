/** Clients of pg and postgres.js, as their packages type them; what a transaction is given is theirs. */

import { Pool, type PoolClient } from "pg";
import postgres from "postgres";
import { fences } from "tenure/fence";
import { postgresGuard } from "tenure/fence/postgres";
import { postgresJournal } from "tenure/journal/postgres";

const sql = postgres("postgres://127.0.0.1");
const throughPg = postgresGuard(new Pool(), { resource: "a", isolation: "serializable", evictStale: true });
const throughPostgresJs = postgresGuard(sql, { resource: "b", create: true });

async function pgWork(tx: PoolClient): Promise<string | undefined> {
  return (await tx.query<{ id: string }>("SELECT 1 AS id")).rows[0]?.id;
}

async function postgresJsWork(tx: postgres.TransactionSql): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`SELECT ${1} AS id`;
  return tx.savepoint(
    async (inner) => (await inner<{ id: string }[]>`SELECT ${row?.id ?? null} AS id`)[0]?.id,
  );
}

export const work = fences({ one: throughPg, other: throughPostgresJs }, async ({ one, other }) => {
  const id: string | undefined = await one.transaction(pgWork, { opId: "one" });
  const again: string | undefined = await other.transaction(async (tx) => postgresJsWork(tx));
  await one.read(async (tx) => tx.query("SELECT 1"));
  const { text, values, inline } = other.statement();
  return [id, again, text, values, inline];
});

const pool = new Pool();
const journal = postgresJournal<typeof pool, { readonly invoice: string }>(pool, { resource: "c" });

export const journaled = fences({ journal }, async ({ journal }) => {
  const { index, duplicate } = await journal.append({ invoice: "17" }, { opId: "invoice-17" });
  // @ts-expect-error It is no entry of this journal.
  await journal.append({ invoice: 17 });
  const id = await journal.transaction(async (tx, log) => {
    await log.append({ invoice: "18" });
    return pgWork(tx);
  });
  const { entries } = await journal.replay();
  return [index, duplicate, id, entries.map(({ entry }) => entry.invoice)];
});

export async function followed(): Promise<string | undefined> {
  for await (const { entry } of journal.follow({ after: 17 })) return entry.invoice;
  return undefined;
}

// @ts-expect-error A single connection cannot be shared out.
postgresGuard({ query() {} }, { resource: "a" });
// @ts-expect-error It names what it guards.
postgresGuard(sql, {});
