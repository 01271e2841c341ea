/**
 * A journal in a PostgreSQL database.
 *
 * Promise: that of `journal.ts`, between all who reach the server, and that what a
 * `transaction` of the handle sends and appends is committed together. An append is flushed
 * by the server before it is acknowledged, also where `synchronous_commit` is off.
 * Assumption and non-promise: those of the PostgreSQL guard, since a journal is one: a
 * primary that does not lose what it committed, and nothing outside of the transactions.
 */

import { realClock } from "../../base/real-clock.js";
import { clientOf, type PostgresClient, type TransactionOf } from "../../fence/postgres/client.js";
import { durableDialect, postgresDialect } from "../../fence/postgres/dialect.js";
import { createSqlJournal, type SqlJournal } from "../sql/journal.js";
import { resolveJournalOptions, type SqlJournalOptions } from "../sql/options.js";
import { schema } from "./schema.js";

export interface PostgresJournalOptions extends SqlJournalOptions {
  /**
   * Ends the server's sessions that keep a claim waiting under a lower token of this very election. Default false: it
   * takes a role that may signal them (the same one, or `pg_signal_backend`), and ends what they are doing.
   */
  readonly evictStale?: boolean;
}

/** `client`: a `Pool` of pg, or the `sql` of postgres.js. Nothing is sent before the first operation. */
export function postgresJournal<const C extends PostgresClient, E, S = unknown>(
  client: C,
  options: PostgresJournalOptions,
): SqlJournal<TransactionOf<C>, E, S> {
  const { book, guard } = resolveJournalOptions(options, postgresDialect, ["evictStale"]);
  const resource = {
    client: clientOf(client),
    dialect: durableDialect,
    clock: realClock,
    resource: book.name,
    options: guard,
  };
  return createSqlJournal({ resource, book, locking: " FOR UPDATE", schema: schema(book.tables) });
}
