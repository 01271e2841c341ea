/** What a journal in a database is asked and told, whatever database it is. */

import type { Fence } from "../../fence/fence.js";
import type { Statement } from "../../fence/sql/session.js";
import { storeText } from "../../fence/sql/tables.js";
import type { Book } from "./options.js";

/** `locking` is what a dialect adds to keep others from the row until the transaction ends. */
export function selectJournal({ tables, id }: Book, locking = ""): Statement {
  return {
    text: `SELECT newest, upto FROM ${tables.journal} WHERE id = ?${locking}`,
    values: [id],
    answer: "rows",
  };
}

export function insertJournal({ tables, id, name }: Book): Statement {
  return {
    text: `INSERT INTO ${tables.journal} (id, name, newest, upto) VALUES (?, ?, 0, 0)`,
    values: [id, storeText(name)],
  };
}

/** Whether there are entries: null where there are none. */
export function selectNewest({ tables, id }: Book): Statement {
  return {
    text: `SELECT max(idx) AS idx FROM ${tables.entry} WHERE journal = ?`,
    values: [id],
    answer: "rows",
  };
}

/**
 * Adds an entry, unless its operation stands there, and answers where it does. The journal's row is locked first and
 * until the commit, so places are given in the order of commits, and whoever looks never finds one before its predecessor.
 */
export function appendEntry(
  book: Book,
  { token, owner }: Fence,
  opId: string,
  json: string,
  locking: string,
): readonly Statement[] {
  const { tables, id } = book;
  const op = storeText(opId);
  return [
    selectJournal(book, locking),
    {
      text:
        `INSERT INTO ${tables.entry} (journal, idx, token, owner, op, body)` +
        ` SELECT id, newest + 1, ?, ?, ?, ? FROM ${tables.journal} WHERE id = ?` +
        ` AND NOT EXISTS (SELECT 1 FROM ${tables.entry} AS known WHERE known.journal = ? AND known.op = ?)`,
      values: [token, storeText(owner), op, json, id, id, op],
      answer: "count",
    },
    {
      text:
        `UPDATE ${tables.journal} SET newest = newest + 1 WHERE id = ?` +
        ` AND EXISTS (SELECT 1 FROM ${tables.entry} AS added WHERE added.journal = ? AND added.idx = newest + 1)`,
      values: [id, id],
    },
    {
      text: `SELECT idx FROM ${tables.entry} WHERE journal = ? AND op = ?`,
      values: [id, op],
      answer: "rows",
    },
  ];
}

/** `kept`: the place up to which operations are forgotten. */
export function putCheckpoint(
  { tables, id }: Book,
  upTo: number,
  json: string,
  kept: number,
): readonly Statement[] {
  return [
    { text: `UPDATE ${tables.journal} SET upto = ? WHERE id = ?`, values: [upTo, id] },
    { text: `DELETE FROM ${tables.state} WHERE journal = ?`, values: [id] },
    { text: `INSERT INTO ${tables.state} (journal, body) VALUES (?, ?)`, values: [id, json] },
    {
      text: `DELETE FROM ${tables.entry} WHERE journal = ? AND idx <= ?`,
      values: [id, Math.min(upTo, kept)],
    },
    {
      text: `UPDATE ${tables.entry} SET body = NULL WHERE journal = ? AND idx <= ? AND body IS NOT NULL`,
      values: [id, upTo],
    },
  ];
}

function selectState({ tables, id }: Book): Statement {
  return { text: `SELECT body FROM ${tables.state} WHERE journal = ?`, values: [id], answer: "rows" };
}

/** Entries after a place, in order; all of them where no count is given. */
export function selectEntries({ tables, id }: Book, after: number, count?: number): Statement {
  const limit = count === undefined ? "" : ` LIMIT ${count}`;
  return {
    text:
      `SELECT idx, token, owner, op, body FROM ${tables.entry}` +
      ` WHERE journal = ? AND idx > ? AND body IS NOT NULL ORDER BY idx${limit}`,
    values: [id, after],
    answer: "rows",
  };
}

/** Answered on one snapshot. */
export function replayStatements(book: Book): readonly Statement[] {
  return [selectJournal(book), selectState(book), selectEntries(book, 0)];
}
