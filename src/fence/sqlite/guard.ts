/**
 * What a SQLite database holds, behind a guard: transactions in which the claim is looked up.
 *
 * Promise: P2 for everything that is written in transactions of the handle, between all
 * processes that use the file. Each begins with the lock that only one writer has, looks
 * whether its claim still stands, and does all its work before anything else of its process
 * can run. Assumption: the file lies on a local disk whose locks and fsync work; nobody
 * puts back an older copy. Non-promise: a process that is stopped in the middle of a
 * transaction holds the lock until it goes on or dies, since SQLite has nobody to end it,
 * so the successor's claim is `CLAIM_BLOCKED` until then; statements outside of the
 * handle's transactions.
 */

import { freshId } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import type { TenureError } from "../../errors/index.js";
import type { Fence } from "../fence.js";
import type { SqlGuard } from "../sql/guard.js";
import { resolveSqlOptions, type SqlGuardOptions } from "../sql/options.js";
import { type FenceStatement, refusalOf, saidAsJson } from "../sql/statement.js";
import type { WriteOptions } from "../writer.js";
import { writerFor } from "../writer.js";
import { claimSqlite } from "./claim.js";
import { checkDatabase, type SqliteDatabase } from "./database.js";
import { inspectSqlite, sqliteOperator } from "./operator.js";
import { receiveSqlite } from "./receive.js";
import { quote } from "./schema.js";
import { fenceStatement } from "./statement.js";
import { readSqlite, writeSqlite } from "./write.js";

export interface SqliteGuardOptions extends Omit<SqlGuardOptions, "timeoutMs"> {
  /**
   * How long a write waits for the lock of the file, ms, 100 to 600 000; no longer than what remains of the term, and at
   * least 1 s. Default 10 000.
   */
  readonly timeoutMs?: number;
}

/** Writes for one term. `D` is the database object that was handed in. */
export interface SqliteHandle<D> {
  readonly resource: string;
  readonly fence: Fence;
  /**
   * Runs `body` in a transaction with one snapshot, taken when this term could still use the resource; it must only
   * read, and return before anything is awaited. Rejects with STALE or the like otherwise, and with what it throws.
   */
  read<R>(body: (database: D) => R): Promise<R>;
  /**
   * Runs `body` in a transaction that is committed before a successor's claim, or not at all. It must return before
   * anything is awaited: whatever else the process did with the database meanwhile would belong to the transaction. It
   * is not called for a write that was applied before, whose result is answered instead.
   *
   * Resolves with what `body` returned, JSON of at most 4 KiB or nothing. Rejects with what it throws, with
   * INVALID_OPTION when it returns a promise, with STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is
   * over for this resource, with GUARD_FAILED when nothing was applied, also when the lock was not to be had in time,
   * with GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been.
   */
  transaction<R = void>(body: (database: D) => R, options?: WriteOptions): Promise<R>;
  /**
   * One statement for a transaction that you open yourself, in an ORM for instance: run it first. It takes the lock of
   * writers, and fails when this term may not write any more; SQLite leaves the transaction open then, so roll it back.
   * A claim waits until the transaction ends. Needs the JSON functions, which are part of SQLite since 3.38.
   *
   * It numbers nothing: a transaction whose outcome is unknown is not recognised when it comes again.
   */
  statement(): FenceStatement;
  /**
   * What a transaction failed with, if that was a refusal of this handle's `statement()`: STALE, CONFLICT,
   * FOREIGN_LINEAGE or CLAIM_MISSING, with `error` as its cause, or GUARD_ROW_UNREADABLE. The database's error or
   * whatever an ORM made of it. The first two tell the term, as a refused write of the handle does. Undefined for all
   * else.
   */
  refusalOf(error: unknown): TenureError | undefined;
}

/** `database` is used by this process alone while it works in it, and stays yours: it is not closed. */
export function sqliteGuard<D extends SqliteDatabase>(
  database: D,
  options: SqliteGuardOptions,
): SqlGuard<SqliteHandle<D>, D> {
  checkDatabase(database);
  const resolved = resolveSqlOptions(options, { quote }, []);
  const resource = { database, clock: realClock, options: resolved, durable: false };
  return {
    kind: "sqlite",
    resource: resolved.resource,
    async claim(claimant, claimOptions = {}) {
      const claimed = await claimSqlite(resource, claimant, claimOptions);
      const { order, resource: name } = resolved;
      const numbering = `sqlite/${claimed.generation}`;
      const writing = { resource: name, numbering, order, concurrency: 1 };
      const writer = writerFor(claimed.claimant, claimed.seq, writing);
      const tag = freshId();
      return {
        resource: name,
        fence: writer.fence,
        read: async (body) => readSqlite(resource, claimed, writer, body),
        transaction: async (body, writeOptions = {}) =>
          writeSqlite(resource, claimed, writer, writeOptions, body),
        statement: () => fenceStatement(resolved.tables, claimed, tag),
        refusalOf: (error) => refusalOf({ resource: name, writer, tag, said: saidAsJson }, error),
      };
    },
    receive: receiveSqlite(resource),
    inspect: async () => inspectSqlite(resource),
    operator: sqliteOperator(resource),
  };
}
