/**
 * A journal in a SQLite file, for the processes of one host.
 *
 * Promise: that of `journal.ts`, between all processes that use the file, and that what a
 * `transaction` of the handle writes and appends is committed together. An append is on disk
 * before it is acknowledged, whatever `PRAGMA synchronous` of the connection says.
 * Assumption and non-promise: those of the SQLite guard, since a journal is one: a local
 * disk, and a process that stands still in the middle of a transaction stops all writers.
 */

import { realClock } from "../../base/real-clock.js";
import type { Claimant, Fence } from "../../fence/fence.js";
import type { ClaimOptions } from "../../fence/guard.js";
import { claimSqlite, type SqliteResource } from "../../fence/sqlite/claim.js";
import { checkDatabase, type SqliteDatabase } from "../../fence/sqlite/database.js";
import { quote, schema as fenceSchema } from "../../fence/sqlite/schema.js";
import { decodeInspection, inspectStatements } from "../../fence/sql/inspect.js";
import { writerFor } from "../../fence/writer.js";
import type { Journal } from "../journal.js";
import { entriesOf, followingOf } from "../reading.js";
import { resolveJournalOptions, type SqlJournalOptions } from "../sql/options.js";
import { decodePage, decodeReplay } from "../sql/rows.js";
import { replayStatements, selectEntries, selectJournal } from "../sql/statements.js";
import { ask } from "./ask.js";
import { createSqliteHandle, type SqliteJournalHandle } from "./handle.js";
import { openJournal } from "./open.js";
import { schema } from "./schema.js";
import { inSnapshot } from "../../fence/sqlite/snapshot.js";

export type SqliteJournalOptions = SqlJournalOptions;

export interface SqliteJournal<D, E, S = unknown> extends Journal<E, S> {
  claim(claimant: Claimant | Fence, options?: ClaimOptions): Promise<SqliteJournalHandle<D, E, S>>;
}

/** `database` is used by this process alone while it works in it, and stays yours: it is not closed. */
export function sqliteJournal<D extends SqliteDatabase, E, S = unknown>(
  database: D,
  options: SqliteJournalOptions,
): SqliteJournal<D, E, S> {
  checkDatabase(database);
  const { book, guard } = resolveJournalOptions(options, { quote });
  const resource: SqliteResource<D> = { database, clock: realClock, options: guard, durable: true };
  const looking = { database, clock: realClock, name: book.name, limitMs: guard.timeoutMs };
  const page = async (after: number, count: number) => {
    const statements = [selectJournal(book), selectEntries(book, after, count)];
    return inSnapshot(looking, () => decodePage<E>(book, ask(database, statements)));
  };
  return {
    kind: "sqlite-journal",
    resource: book.name,
    async claim(claimant, claimOptions = {}) {
      const tables = guard.create ? [...fenceSchema(book.tables), ...schema(book.tables)] : [];
      await openJournal(resource, book, tables, claimOptions.signal);
      const claimed = await claimSqlite(resource, claimant, claimOptions);
      const numbering = `sqlite/${claimed.generation}`;
      const writing = { resource: book.name, numbering, order: "any", concurrency: 1 } as const;
      const writer = writerFor(claimed.claimant, claimed.seq, writing);
      return createSqliteHandle(resource, book, claimed, writer);
    },
    async inspect() {
      return inSnapshot(looking, () => ({
        ...decodeReplay<E, S>(book, ask(database, replayStatements(book))),
        rows: decodeInspection(
          guard.resource,
          ask(database, inspectStatements(guard.tables, guard.resource)),
        ),
      }));
    },
    entries: (entriesOptions) => entriesOf(book.name, page, entriesOptions),
    follow: (followOptions) => followingOf(book.name, realClock, page, followOptions),
  };
}
