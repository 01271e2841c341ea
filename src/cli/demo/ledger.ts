/**
 * What the demo's leaders write to: a ledger that adds up operations, and the journal of what they were about to do.
 *
 * The fenced ledger keeps every version, so that the verdict can read each write as it was
 * applied. The plain one is a file that is read, changed and written back.
 */

import type { FileSystem } from "../../chain/file-system.js";
import { openFileGuard } from "../../fence/file/open.js";
import type { ValueGuard, ValueHandle } from "../../fence/value-guard.js";
import { createFileJournal } from "../../journal/file-journal.js";
import type { Journal, JournalHandle } from "../../journal/journal.js";

/** Who did an operation, as the one who did it wrote it down. */
export interface Posting {
  readonly opId: string;
  readonly token: number;
  readonly node: string;
}

export interface Ledger {
  /** How many operations were done. */
  total: number;
  last: Posting | null;
}

/** The plain file: every operation in the order in which they were written. */
export interface PlainLedger {
  readonly postings: readonly Posting[];
}

/** An entry says who is about to do the operation that it is named after. */
export interface Intent {
  readonly by: string;
}

export interface Books {
  readonly ledger: ValueHandle<Ledger>;
  readonly journal: JournalHandle<Intent>;
}

export const ledgerResource = "ledger";
export const journalResource = "journal";

export function openLedger(directory: string, files: FileSystem): ValueGuard<Ledger> {
  const initial: Ledger = { total: 0, last: null };
  // A successor does the last operation of the journal again: the ledger has to know it from the term before.
  const options = { resource: ledgerResource, initial, rememberOperations: 64 };
  return openFileGuard(directory, { ...options, keepVersions: Number.POSITIVE_INFINITY }, files);
}

export function openJournal(directory: string, files: FileSystem): Journal<Intent> {
  return createFileJournal(directory, { resource: journalResource }, files);
}
