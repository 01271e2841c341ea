/**
 * What a PostgreSQL database holds, behind a guard: transactions that a later leader's claim excludes.
 *
 * Promise: P2 for everything that is written in transactions of the handle. Each shares a
 * lock on the guard's row until it is committed, and a claim needs that lock for itself, so
 * a write is committed before a successor's claim or refused. A leader that stands still
 * inside a transaction loses its session on the server after `timeoutMs` or what remained
 * of its term, whichever is less. Assumption: one primary that does not lose a committed
 * claim: with a standby that may be promoted, `synchronous_commit` covers it. Non-promise:
 * statements outside of the handle's transactions, and what other databases or services do;
 * a session that the server cannot end, because it waits for a client that does not read,
 * holds its locks until the claim ends it (`evictStale`) or TCP does.
 */

import { freshId } from "../../base/random.js";
import { realClock } from "../../base/real-clock.js";
import type { TenureError } from "../../errors/index.js";
import type { Isolation } from "../sql/dialect.js";
import { createSqlGuard, type SqlGuard, type SqlHandle } from "../sql/guard.js";
import { resolveSqlOptions, type SqlGuardOptions } from "../sql/options.js";
import { limitOf } from "../limit.js";
import { type FenceStatement, refusalOf, saidAsJson } from "../sql/statement.js";
import { clientOf, type PostgresClient, type TransactionOf } from "./client.js";
import { postgresDialect } from "./dialect.js";
import { fenceStatement } from "./statement.js";

export interface PostgresGuardOptions extends SqlGuardOptions {
  /**
   * Of the handle's transactions. Default `read committed`, as PostgreSQL's own. Under `repeatable read` and
   * `serializable` a transaction that meets a claim or another write in progress fails as PostgreSQL's rules say.
   */
  readonly isolation?: Isolation;
  /**
   * Ends the server's sessions that keep a claim waiting under a lower token of this very election. Default false: it
   * takes a role that may signal them (the same one, or `pg_signal_backend`), and ends what they are doing.
   */
  readonly evictStale?: boolean;
  /** Transactions of one term under way at once, 1 to 64; always 1 under strict order. Default 16. */
  readonly concurrency?: number;
}

/** Writes for one term, on connections of the client that was handed in. */
export interface PostgresHandle<T> extends SqlHandle<T> {
  /**
   * One statement for a transaction that you open yourself, in an ORM for instance: run it first. It fails when this
   * term may not write any more, and holds a claim off until the transaction ends. Works at `read committed` and above.
   *
   * It numbers nothing: a transaction whose outcome is unknown is not recognised when it comes again. Its timeouts are
   * those of the moment it was made, so ask for a fresh one each time.
   */
  statement(): FenceStatement;
  /**
   * What a transaction failed with, if that was a refusal of this handle's `statement()`: STALE, CONFLICT,
   * FOREIGN_LINEAGE or CLAIM_MISSING, with `error` as its cause, or GUARD_ROW_UNREADABLE. The driver's error or whatever
   * an ORM made of it. The first two tell the term, as a refused write of the handle does. Undefined for all else.
   */
  refusalOf(error: unknown): TenureError | undefined;
}

/** The tables are `schema()`'s. Nothing is sent before the first operation. */
export function postgresGuard<const C extends PostgresClient>(
  client: C,
  options: PostgresGuardOptions,
): SqlGuard<PostgresHandle<TransactionOf<C>>, TransactionOf<C>> {
  const resolved = resolveSqlOptions({ concurrency: 16, ...options }, postgresDialect, [
    "isolation",
    "evictStale",
    "concurrency",
  ]);
  const resource = {
    client: clientOf(client),
    dialect: postgresDialect,
    clock: realClock,
    resource: resolved.resource,
    options: resolved,
  };
  return createSqlGuard(resource, (handle, claimed, writer) => {
    const tag = freshId();
    return {
      ...handle,
      statement: () => fenceStatement(resolved.tables, claimed, tag, limitOf(resolved, claimed.claimant)),
      refusalOf: (error) => refusalOf({ resource: resolved.resource, writer, tag, said: saidAsJson }, error),
    };
  });
}
