/** Makes the journal's row where there is none. Changes nothing that anybody could read, so it needs no claim. */

import { createError } from "../../errors/index.js";
import type { SqliteResource } from "../../fence/sqlite/claim.js";
import { failureOf, run, type SqliteDatabase, sqliteFailed } from "../../fence/sqlite/database.js";
import { inTransaction, type Outcome } from "../../fence/sqlite/transaction.js";
import { unreadable } from "../reading.js";
import type { Book } from "../sql/options.js";
import { decodeExtent } from "../sql/rows.js";
import { insertJournal, selectJournal, selectNewest } from "../sql/statements.js";

/** `tables`: the statements to make them, or none. Rejects as a claim does. */
export async function openJournal<D extends SqliteDatabase>(
  { database, clock, options }: SqliteResource<D>,
  book: Book,
  tables: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { claimLockTimeoutMs: limitMs } = options;
  let outcome: Outcome<void>;
  try {
    outcome = await inTransaction(database, { clock, limitMs, signal, durable: true }, () => {
      for (const text of tables) database.exec(text);
      return { commit: make(database, book) || tables.length > 0, value: undefined };
    });
  } catch (cause) {
    throw failureOf(cause) === "tables-missing" ? sqliteFailed(book.name, cause) : cause;
  }
  if (outcome.kind === "busy") {
    const message = `the claim of "${book.name}" waited ${limitMs} ms for the lock of the file`;
    throw createError("CLAIM_BLOCKED", message, { cause: outcome.cause, fields: { blockers: [] } });
  }
  if (outcome.kind === "failed") throw sqliteFailed(book.name, outcome.cause);
}

/** Whether there was none. */
function make(database: SqliteDatabase, book: Book): boolean {
  if (decodeExtent(book, run(database, selectJournal(book))) !== undefined) return false;
  const last = run(database, selectNewest(book)).rows[0]?.["idx"];
  if (last !== null && last !== undefined) throw unreadable(book.name, "its row is gone");
  run(database, insertJournal(book));
  return true;
}
