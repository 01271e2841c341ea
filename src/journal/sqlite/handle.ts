/** One term's way into a journal in a SQLite file. */

import { freshId } from "../../base/random.js";
import type { SqliteResource } from "../../fence/sqlite/claim.js";
import { run, type SqliteDatabase } from "../../fence/sqlite/database.js";
import { writeSqlite } from "../../fence/sqlite/write.js";
import { refuseUse } from "../../fence/guard.js";
import type { Claimed } from "../../fence/sql/claim.js";
import { limitOf } from "../../fence/limit.js";
import { decodeFenceRow } from "../../fence/sql/rows.js";
import type { Answer, Statement } from "../../fence/sql/session.js";
import { selectRow } from "../../fence/sql/statements.js";
import type { Writer, WriteOptions } from "../../fence/writer.js";
import type {
  Appended,
  CheckpointOptions,
  EntriesOptions,
  JournalEntry,
  JournalHandle,
  Replay,
} from "../journal.js";
import { sized } from "../limits.js";
import { entriesOf } from "../reading.js";
import type { Book } from "../sql/options.js";
import { checkUpTo, placed, unplaced } from "../sql/placed.js";
import { decodeAppended, decodePage, decodeReplay, standingExtent } from "../sql/rows.js";
import {
  appendEntry,
  putCheckpoint,
  replayStatements,
  selectEntries,
  selectJournal,
} from "../sql/statements.js";
import { ask, askOrFail } from "./ask.js";
import { inSnapshot } from "../../fence/sqlite/snapshot.js";

/** What the body of a transaction appends with, while it runs. */
export interface SqliteJournalTransaction<E> {
  /**
   * Adds an entry, which is committed with the transaction. An operation that stands in the journal, of whatever term,
   * is answered with its place and `duplicate: true`: skip what belongs to it. Default `opId`: a fresh one. Throws
   * ENTRY_TOO_LARGE, and the database's error when the statement fails.
   */
  append(entry: E, options?: Pick<WriteOptions, "opId">): Appended;
}

export interface SqliteJournalHandle<D, E, S = unknown> extends JournalHandle<E, S> {
  /**
   * Runs `body` in a transaction of the database that holds the journal: what it writes and what it appends is committed
   * together, before a successor's claim, or not at all. It must return before anything is awaited. As `transaction` of
   * the SQLite guard.
   */
  transaction<R = void>(
    body: (database: D, journal: SqliteJournalTransaction<E>) => R,
    options?: WriteOptions,
  ): Promise<R>;
}

export function createSqliteHandle<D extends SqliteDatabase, E, S>(
  resource: SqliteResource<D>,
  book: Book,
  claimed: Claimed,
  writer: Writer,
): SqliteJournalHandle<D, E, S> {
  return new Handle(resource, book, claimed, writer);
}

class Handle<D extends SqliteDatabase, E, S> implements SqliteJournalHandle<D, E, S> {
  readonly #resource: SqliteResource<D>;
  readonly #book: Book;
  readonly #claimed: Claimed;
  readonly #writer: Writer;

  constructor(resource: SqliteResource<D>, book: Book, claimed: Claimed, writer: Writer) {
    this.#resource = resource;
    this.#book = book;
    this.#claimed = claimed;
    this.#writer = writer;
  }

  get resource(): string {
    return this.#book.name;
  }

  get fence(): Writer["fence"] {
    return this.#writer.fence;
  }

  async append(entry: E, options: WriteOptions = {}): Promise<Appended> {
    const json = sized("entry", entry, this.#book.limits.maxEntryBytes);
    const opId = options.opId ?? options.attempt?.opId ?? freshId();
    return placed(opId, async (note) =>
      this.#write({ ...options, opId }, () => note(this.#append(opId, json))),
    );
  }

  async checkpoint(state: S, upTo: number, options: CheckpointOptions = {}): Promise<void> {
    const book = this.#book;
    const json = sized("state", state, book.limits.maxStateBytes);
    const result = await this.#write(options, () => {
      const extent = standingExtent(book, this.#ask([selectJournal(book)])[0]);
      checkUpTo(upTo, extent.upTo, extent.newest);
      this.#ask(putCheckpoint(book, upTo, json, extent.newest - book.limits.rememberOperations));
    });
    unplaced(options.attempt?.opId, result);
  }

  async replay(): Promise<Replay<E, S>> {
    return this.#read(replayStatements(this.#book), (answers) => decodeReplay<E, S>(this.#book, answers));
  }

  entries(options: EntriesOptions = {}): AsyncIterable<JournalEntry<E>> {
    const book = this.#book;
    const page = async (after: number, count: number) =>
      this.#read([selectJournal(book), selectEntries(book, after, count)], (answers) =>
        decodePage<E>(book, answers),
      );
    return entriesOf(book.name, page, options);
  }

  async transaction<R>(
    body: (database: D, journal: SqliteJournalTransaction<E>) => R,
    options: WriteOptions = {},
  ): Promise<R> {
    const { maxEntryBytes } = this.#book.limits;
    return this.#write(options, (database) => {
      let isOver = false;
      const append: SqliteJournalTransaction<E>["append"] = (entry, { opId = freshId() } = {}) => {
        if (isOver) throw new Error("the transaction is over");
        return this.#append(opId, sized("entry", entry, maxEntryBytes));
      };
      try {
        return body(database, { append });
      } finally {
        isOver = true;
      }
    });
  }

  /** The lock of the file keeps others away, so none of its own is needed. */
  #append(opId: string, json: string): Appended {
    return decodeAppended(this.#book, this.#ask(appendEntry(this.#book, this.fence, opId, json, "")));
  }

  #ask(statements: readonly Statement[]): readonly Answer[] {
    return askOrFail(this.#book.name, this.#resource.database, statements);
  }

  async #write<R>(options: WriteOptions, body: (database: D) => R): Promise<R> {
    return writeSqlite(this.#resource, this.#claimed, this.#writer, options, body);
  }

  async #read<R>(statements: readonly Statement[], decode: (answers: readonly Answer[]) => R): Promise<R> {
    const { database, clock, options } = this.#resource;
    const { id, claimant, fence } = this.#claimed;
    const looking = { database, clock, name: this.#book.name, limitMs: limitOf(options, claimant) };
    return inSnapshot(looking, () => {
      const row = decodeFenceRow(options.resource, run(database, selectRow(options.tables, id)))?.row;
      const refusal = refuseUse(row, fence);
      if (refusal !== undefined) throw this.#writer.refuse(refusal);
      return decode(ask(database, statements));
    });
  }
}
