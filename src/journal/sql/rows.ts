/** Rows of a journal's tables. Foreign input: checked, and refused where it cannot be read. */

import { isText, longestOpIdBytes } from "../../fence/row.js";
import type { Answer } from "../../fence/sql/session.js";
import { readText } from "../../fence/sql/tables.js";
import type { Appended, JournalEntry, Replay } from "../journal.js";
import { type Page, unreadable } from "../reading.js";
import type { Book } from "./options.js";

export interface Extent {
  readonly newest: number;
  readonly upTo: number;
}

/** Undefined where the journal has no row yet. Throws JOURNAL_UNREADABLE. */
export function decodeExtent({ name }: Book, answer: Answer | undefined): Extent | undefined {
  const [found] = answer?.rows ?? [];
  if (found === undefined) return undefined;
  const [newest, upTo] = [Number(found["newest"]), Number(found["upto"])];
  if (isPlace(newest) && isPlace(upTo) && upTo <= newest) return { newest, upTo };
  throw unreadable(name, "its row is none of format 1");
}

/** Of a journal that was there when it was claimed. Throws JOURNAL_UNREADABLE. */
export function standingExtent(book: Book, answer: Answer | undefined): Extent {
  const extent = decodeExtent(book, answer);
  if (extent === undefined) throw unreadable(book.name, "its row is gone");
  return extent;
}

/** `answers`: those of `appendEntry`. Throws JOURNAL_UNREADABLE. */
export function decodeAppended(book: Book, [journal, added, found]: readonly Answer[]): Appended {
  standingExtent(book, journal);
  const index = Number(found?.rows[0]?.["idx"]);
  if (isPlace(index)) return { index, duplicate: added?.count !== 1 };
  throw unreadable(book.name, "an entry has no place");
}

/** `answers`: the journal's row, and entries. */
export function decodePage<E>(book: Book, [journal, entries]: readonly Answer[]): Page<E> {
  const extent = decodeExtent(book, journal) ?? { newest: 0, upTo: 0 };
  return { ...extent, entries: decodeEntries<E>(book, entries) };
}

/** `answers`: the journal's row, the state, and all entries. Throws JOURNAL_UNREADABLE where one is missing. */
export function decodeReplay<E, S>(book: Book, [journal, state, all]: readonly Answer[]): Replay<E, S> {
  const { newest, upTo } = decodeExtent(book, journal) ?? { newest: 0, upTo: 0 };
  const entries = decodeEntries<E>(book, all);
  const isWhole = entries.length === newest - upTo && entries.every(({ index }, i) => index === upTo + i + 1);
  if (!isWhole) throw unreadable(book.name, `its entries from ${upTo + 1} to ${newest} are not all there`);
  const [kept] = state?.rows ?? [];
  if (kept === undefined && upTo > 0) throw unreadable(book.name, "the state of its checkpoint is gone");
  return { state: kept && parsed<S>(book, kept["body"]), upTo, entries };
}

function decodeEntries<E>(book: Book, answer: Answer | undefined): readonly JournalEntry<E>[] {
  return (answer?.rows ?? []).map(({ idx, token, owner: by, op, body }) => {
    const [index, of] = [Number(idx), Number(token)];
    const [owner, opId] = [readText(by), readText(op)];
    if (isPlace(index) && isPlace(of) && isText(owner, 200) && isText(opId, longestOpIdBytes)) {
      return { index, token: of, owner, opId, entry: parsed<E>(book, body) };
    }
    throw unreadable(book.name, `entry ${String(idx)} is none of format 1`);
  });
}

function parsed<V>({ name }: Book, body: unknown): V {
  try {
    return JSON.parse(String(body)) as V;
  } catch (cause) {
    throw unreadable(name, `what stands in it is no JSON: ${String(cause)}`);
  }
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
