/**
 * A journal in a directory, for the processes of one host.
 *
 * Promise: that of `journal.ts` between all processes that use the directory. An entry is
 * on disk before it is acknowledged; a process that is frozen or killed at any step blocks
 * nobody and tears nothing. Entries up to a checkpoint are removed only once the checkpoint
 * is on disk, and a replay that meets this begins again. Assumption: a local file system on
 * which link(2) is atomic and fsync(2) means it; nobody puts back an older copy of the
 * directory. Non-promise: nothing between hosts; no order with what else a leader does.
 *
 * An append writes its entry and what fences it, at most some 10 KiB beside the entry,
 * whatever stands before. It lists the directory, and each process keeps the names of the
 * operations since the last checkpoint, so make one every few thousand entries.
 */

import { resolve } from "node:path";
import type { FileSystem } from "../chain/file-system.js";
import { nodeFileSystem } from "../chain/node-file-system.js";
import { knownOnly, optionError, text } from "../base/options.js";
import { claimCell } from "../fence/cell.js";
import { JournalCell } from "./cell.js";
import { createHandle, type HandleOptions, replayOf } from "./handle.js";
import type { Journal } from "./journal.js";

export interface FileJournalOptions {
  /** Names the journal within the directory. 1 to 1 024 bytes. */
  readonly resource: string;
  /** Upper bound of an entry, in bytes of JSON: 16 to 2^24. Default 64 KiB. */
  readonly maxEntryBytes?: number;
  /** Upper bound of a checkpoint's state, in bytes of JSON: 16 to 2^27. Default 1 MiB. */
  readonly maxStateBytes?: number;
  /**
   * How many operations a checkpoint still recognises of those whose entries it lets go; 64 to 10 000. Default
   * 1 024: their names are written with each checkpoint.
   */
  readonly rememberOperations?: number;
}

/** The first operation makes the directory where it is missing. A directory of a store or of a guard is refused. */
export function fileJournal<E, S = unknown>(directory: string, options: FileJournalOptions): Journal<E, S> {
  return createFileJournal(directory, options, nodeFileSystem);
}

/** As `fileJournal`, on a twin of the file system. */
export function createFileJournal<E, S>(
  directory: string,
  options: FileJournalOptions,
  files: FileSystem,
): Journal<E, S> {
  knownOnly(options, ["resource", "maxEntryBytes", "maxStateBytes", "rememberOperations"]);
  const resource = text("resource", options.resource, 1_024);
  const root = resolve(text("directory", directory, 4_096));
  const handleOptions: HandleOptions = {
    resource,
    numbering: `journal/${root}/${resource}`,
    maxEntryBytes: whole("maxEntryBytes", options.maxEntryBytes ?? 65_536, 16, 2 ** 24),
    maxStateBytes: whole("maxStateBytes", options.maxStateBytes ?? 1_048_576, 16, 2 ** 27),
    order: "any",
    // The cell keeps its own table.
    rememberOperations: 0,
  };
  const rememberOperations = whole("rememberOperations", options.rememberOperations ?? 1_024, 64, 10_000);
  const cell = new JournalCell({ root, resource, rememberOperations }, files);
  return {
    kind: "file-journal",
    resource,
    async claim(claimant, claimOptions = {}) {
      return createHandle(cell, handleOptions, await claimCell(cell, handleOptions, claimant, claimOptions));
    },
    async inspect() {
      const { snapshot, replay } = await replayOf<E, S>(cell, async () => cell.read());
      return { ...replay, rows: snapshot.fencing.rows };
    },
  };
}

function whole(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw optionError(option, value, `a whole number from ${min} to ${max}`);
}
