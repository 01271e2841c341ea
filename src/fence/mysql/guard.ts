/**
 * What a MySQL or MariaDB database holds, behind a guard: transactions that a later leader's claim excludes.
 *
 * Promise: P2 for everything that is written in transactions of the handle to tables of
 * InnoDB. Each shares a lock on the guard's row until it is committed, and a claim needs
 * that lock for itself, so a write is committed before a successor's claim or refused. A
 * leader that stands still inside a transaction loses its session on the server after
 * `timeoutMs` or what remained of its term, in whole seconds, whichever is less.
 * Assumption: all writers and claims use one server, which does not lose a committed claim
 * (`innodb_flush_log_at_trx_commit` is 1, its default; a replica is promoted only when it
 * has everything). Non-promise: statements outside of the handle's transactions; tables of
 * other engines; a cluster whose nodes take writes side by side, since locks of a row are
 * those of one node; on MySQL, a statement of the body that changes rows is not ended for
 * taking long.
 */

import { freshId } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import type { TenureError } from "../../errors/index.js";
import { createSqlGuard, type SqlGuard, type SqlHandle } from "../sql/guard.js";
import { resolveSqlOptions, type SqlGuardOptions } from "../sql/options.js";
import { limitOf } from "../limit.js";
import { type FenceStatement, refusalOf } from "../sql/statement.js";
import { clientOf, type ConnectionOf, type MysqlClient } from "./client.js";
import { mysqlDialect } from "./dialect.js";
import { said } from "./said.js";
import { fenceStatement } from "./statement.js";

export interface MysqlGuardOptions extends SqlGuardOptions {
  /**
   * Of the handle's transactions. Default `repeatable read`, as the databases' own; the snapshot is taken after the
   * lock. There is no `serializable`: each look at the guard's tables would lock them, and writers would end in
   * deadlocks.
   */
  readonly isolation?: "read committed" | "repeatable read";
  /**
   * Ends the server's sessions that keep a claim waiting under a lower token of this very election. Default false: it
   * takes a role that may end them (the same one, or one with `CONNECTION_ADMIN`), and ends what they are doing.
   */
  readonly evictStale?: boolean;
  /** Transactions of one term under way at once, 1 to 64; always 1 under strict order. Default 16. */
  readonly concurrency?: number;
}

/** Writes for one term, on connections of the pool that was handed in. */
export interface MysqlHandle<T> extends SqlHandle<T> {
  /**
   * One statement for a transaction that you open yourself, in an ORM for instance: run it first, and let its error
   * roll the transaction back. It fails when this term may not write any more, and holds a claim off until the
   * transaction ends.
   *
   * It numbers nothing: a transaction whose outcome is unknown is not recognised when it comes again. It bounds no
   * idleness, and a claim cannot say whom it waits for.
   */
  statement(): FenceStatement;
  /**
   * What a transaction failed with, if that was a refusal of this handle's `statement()`: STALE, CONFLICT,
   * FOREIGN_LINEAGE or CLAIM_MISSING, with `error` as its cause, or GUARD_ROW_UNREADABLE. The driver's error or whatever
   * an ORM made of it. The first two tell the term, as a refused write of the handle does. Undefined for all else.
   *
   * Errors of these databases are short: an owner or a lineage of more than 45 bytes, or of more than 30 where it has
   * other letters than those of ASCII, is cut and ends in "…".
   */
  refusalOf(error: unknown): TenureError | undefined;
}

/** The tables are `mysqlSchema()`'s. Nothing is sent before the first operation. */
export function mysqlGuard<const P extends MysqlClient>(
  client: P,
  options: MysqlGuardOptions,
): SqlGuard<MysqlHandle<ConnectionOf<P>>, ConnectionOf<P>> {
  const resolved = resolveSqlOptions(
    { concurrency: 16, isolation: "repeatable read", ...options },
    mysqlDialect,
    ["isolation", "evictStale", "concurrency"],
    ["read committed", "repeatable read"],
  );
  const resource = {
    client: clientOf(client),
    dialect: mysqlDialect,
    clock: realClock,
    resource: resolved.resource,
    options: resolved,
  };
  return createSqlGuard(resource, (handle, claimed, writer) => {
    // Of its 48 last bits all are random, and more would not fit into an error.
    const tag = freshId().slice(-12);
    return {
      ...handle,
      statement: () => fenceStatement(resolved.tables, claimed, tag, limitOf(resolved, claimed.claimant)),
      refusalOf: (error) => refusalOf({ resource: resolved.resource, writer, tag, said }, error),
    };
  });
}
