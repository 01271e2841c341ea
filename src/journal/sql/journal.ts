/**
 * The journal of a database, over whatever client and dialect: a guard whose transactions also append.
 *
 * Claim, numbers, timeouts and unknown outcomes are those of the guards of databases. What is
 * particular here: a row that is locked from an append to its commit, so places are given
 * without a gap, and a unique key over operations, which recognises them in every later term.
 */

import { freshId } from "../../base/random.js";
import { createError, TenureError } from "../../errors/index.js";
import type { Claimant, Fence } from "../../fence/fence.js";
import type { ClaimOptions } from "../../fence/guard.js";
import { claimSql, createTables, type Claimed } from "../../fence/sql/claim.js";
import { inspectRows } from "../../fence/sql/inspect.js";
import { readSql } from "../../fence/sql/read.js";
import type { SqlResource } from "../../fence/sql/resource.js";
import type { Answer, Statement } from "../../fence/sql/session.js";
import { guardFailed, inTransaction, type Transaction } from "../../fence/sql/transaction.js";
import { writeSql } from "../../fence/sql/write.js";
import { type Writer, type WriteOptions, writerFor } from "../../fence/writer.js";
import type {
  Appended,
  CheckpointOptions,
  EntriesOptions,
  Journal,
  JournalEntry,
  JournalHandle,
  JournalInspection,
  Replay,
} from "../journal.js";
import { sized } from "../limits.js";
import { entriesOf, followingOf, unreadable } from "../reading.js";
import type { Book } from "./options.js";
import { checkUpTo, placed, unplaced } from "./placed.js";
import { decodeAppended, decodeExtent, decodePage, decodeReplay, standingExtent } from "./rows.js";
import {
  appendEntry,
  insertJournal,
  putCheckpoint,
  replayStatements,
  selectEntries,
  selectJournal,
  selectNewest,
} from "./statements.js";

export interface SqlJournalSite<T> {
  /** What fences the journal. */
  readonly resource: SqlResource<T>;
  readonly book: Book;
  /** Behind a `SELECT` of one row: keeps others from it until the transaction ends. */
  readonly locking: string;
  /** One statement per table of the journal. */
  readonly schema: readonly string[];
}

/** What the body of a transaction appends with. */
export interface JournalTransaction<E> {
  /**
   * Adds an entry, which is committed with the transaction. Nobody else appends until then. An operation that stands
   * in the journal, of whatever term, is answered with its place and `duplicate: true`: skip what belongs to it.
   * Default `opId`: a fresh one. Rejects with ENTRY_TOO_LARGE, and with GUARD_FAILED when the statement fails.
   */
  append(entry: E, options?: Pick<WriteOptions, "opId">): Promise<Appended>;
}

export interface SqlJournalHandle<T, E, S = unknown> extends JournalHandle<E, S> {
  /**
   * Runs `body` in a transaction of the database that holds the journal: what it sends through the client it is given
   * and what it appends is committed together, before a successor's claim, or not at all. As `transaction` of the
   * database's guard.
   */
  transaction<R = void>(
    body: (client: T, journal: JournalTransaction<E>) => R | Promise<R>,
    options?: WriteOptions,
  ): Promise<R>;
}

export interface SqlJournal<T, E, S = unknown> extends Journal<E, S> {
  claim(claimant: Claimant | Fence, options?: ClaimOptions): Promise<SqlJournalHandle<T, E, S>>;
}

export function createSqlJournal<T, E, S>(site: SqlJournalSite<T>): SqlJournal<T, E, S> {
  const { resource, book } = site;
  const { dialect, clock } = resource;
  const look = async (statements: readonly Statement[]) => lookSql(resource, statements);
  const page = async (after: number, count: number) =>
    decodePage<E>(book, await look([selectJournal(book), selectEntries(book, after, count)]));
  return {
    kind: `${dialect.kind}-journal`,
    resource: book.name,
    async claim(claimant, options = {}) {
      await open(site);
      const claimed = await claimSql(resource, claimant, options);
      const writer = writerFor(claimed.claimant, claimed.seq, {
        resource: book.name,
        numbering: `${dialect.kind}/${claimed.generation}`,
        order: "any",
        concurrency: 1,
      });
      return new Handle(site, claimed, writer);
    },
    async inspect(): Promise<JournalInspection<E, S>> {
      const rows = await inspectRows(resource);
      return { ...decodeReplay<E, S>(book, await look(replayStatements(book))), rows };
    },
    entries: (options) => entriesOf(book.name, page, options),
    follow: (options) => followingOf(book.name, clock, page, options),
  };
}

class Handle<T, E, S> implements SqlJournalHandle<T, E, S> {
  readonly #site: SqlJournalSite<T>;
  readonly #claimed: Claimed;
  readonly #writer: Writer;

  constructor(site: SqlJournalSite<T>, claimed: Claimed, writer: Writer) {
    this.#site = site;
    this.#claimed = claimed;
    this.#writer = writer;
  }

  get resource(): string {
    return this.#site.book.name;
  }

  get fence(): Writer["fence"] {
    return this.#writer.fence;
  }

  async append(entry: E, options: WriteOptions = {}): Promise<Appended> {
    const json = sized("entry", entry, this.#site.book.limits.maxEntryBytes);
    const opId = options.opId ?? options.attempt?.opId ?? freshId();
    return placed(opId, async (note) =>
      this.#write({ ...options, opId }, async (transaction) =>
        note(await this.#append(transaction, opId, json)),
      ),
    );
  }

  async checkpoint(state: S, upTo: number, options: CheckpointOptions = {}): Promise<void> {
    const { book, locking } = this.#site;
    const json = sized("state", state, book.limits.maxStateBytes);
    const result = await this.#write(options, async (transaction) => {
      const [row] = await transaction.ask([selectJournal(book, locking)]);
      const extent = standingExtent(book, row);
      checkUpTo(upTo, extent.upTo, extent.newest);
      const kept = extent.newest - book.limits.rememberOperations;
      await transaction.ask(putCheckpoint(book, upTo, json, kept));
    });
    unplaced(options.attempt?.opId, result);
  }

  async replay(): Promise<Replay<E, S>> {
    const { book } = this.#site;
    return decodeReplay<E, S>(book, await this.#read(replayStatements(book)));
  }

  entries(options: EntriesOptions = {}): AsyncIterable<JournalEntry<E>> {
    const { book } = this.#site;
    const page = async (after: number, count: number) =>
      decodePage<E>(book, await this.#read([selectJournal(book), selectEntries(book, after, count)]));
    return entriesOf(book.name, page, options);
  }

  async transaction<R>(
    body: (client: T, journal: JournalTransaction<E>) => R | Promise<R>,
    options: WriteOptions = {},
  ): Promise<R> {
    const { limits } = this.#site.book;
    return this.#write(options, async (transaction) => {
      let isOver = false;
      const append: JournalTransaction<E>["append"] = async (entry, { opId = freshId() } = {}) => {
        if (isOver) throw new Error("the transaction is over");
        return this.#append(transaction, opId, sized("entry", entry, limits.maxEntryBytes));
      };
      try {
        return await body(transaction.client, { append });
      } finally {
        isOver = true;
      }
    });
  }

  async #append(transaction: Transaction<T>, opId: string, json: string): Promise<Appended> {
    const { book, locking } = this.#site;
    return decodeAppended(book, await transaction.ask(appendEntry(book, this.fence, opId, json, locking)));
  }

  async #write<R>(options: WriteOptions, body: (transaction: Transaction<T>) => Promise<R>): Promise<R> {
    return writeSql(this.#site.resource, this.#claimed, this.#writer, options, body);
  }

  async #read(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const { resource } = this.#site;
    return readSql(resource, this.#claimed, this.#writer, async (transaction) => transaction.ask(statements));
  }
}

/** On one snapshot, for those who only look. */
async function lookSql<T>(
  resource: SqlResource<T>,
  statements: readonly Statement[],
): Promise<readonly Answer[]> {
  const { timeoutMs } = resource.options;
  return inTransaction(resource, timeoutMs, async (transaction) => {
    await transaction.ask(resource.dialect.begin("read", timeoutMs, "repeatable read"));
    return transaction.ask(statements);
  });
}

/** Each round means that somebody else made it meanwhile, or that its tables were made. */
const longestOpening = 10;

/** Makes the journal's row where there is none. Changes nothing that anybody could read, so it needs no claim. */
async function open<T>(site: SqlJournalSite<T>): Promise<void> {
  const { resource, schema } = site;
  const { create, timeoutMs } = resource.options;
  let mayCreate = create;
  for (let round = 0; round < longestOpening; round += 1) {
    try {
      if (await openOnce(site)) return;
    } catch (cause) {
      if (!mayCreate || !TenureError.is(cause, "GUARD_TABLES_MISSING")) throw cause;
      mayCreate = false;
      await createTables(resource, timeoutMs, schema);
    }
  }
  throw createError("GUARD_CONTENDED", `journal "${site.book.name}" could not be opened`);
}

/** False when somebody else was there. */
async function openOnce<T>({ resource, book }: SqlJournalSite<T>): Promise<boolean> {
  const { dialect, options } = resource;
  const limitMs = options.claimLockTimeoutMs;
  return inTransaction(resource, limitMs, async (transaction) => {
    await transaction.ask(dialect.begin("write", limitMs, "read committed"));
    const [row, newest] = await transaction.ask([selectJournal(book), selectNewest(book)]);
    if (decodeExtent(book, row) !== undefined) return true;
    const last = newest?.rows[0]?.["idx"];
    if (last !== null && last !== undefined) throw unreadable(book.name, "its row is gone");
    const made = await transaction.commit([insertJournal(book)]);
    if (!("failure" in made)) return true;
    if (made.failure === "taken" || made.failure === "again") return false;
    throw guardFailed(options.resource, made);
  });
}
