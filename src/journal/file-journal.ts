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
import { knownOnly, text } from "../base/options.js";
import { realClock } from "../base/real-clock.js";
import { claimCell } from "../fence/cell.js";
import { JournalCell } from "./cell.js";
import { createHandle, type HandleOptions, pageOf, replayOf } from "./handle.js";
import type { Journal } from "./journal.js";
import { type JournalLimits, limitNames, resolveLimits } from "./limits.js";
import { entriesOf, followingOf } from "./reading.js";

export interface FileJournalOptions extends JournalLimits {
  /** Names the journal within the directory. 1 to 1 024 bytes. */
  readonly resource: string;
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
  knownOnly(options, ["resource", ...limitNames]);
  const resource = text("resource", options.resource, 1_024);
  const root = resolve(text("directory", directory, 4_096));
  const { rememberOperations, ...limits } = resolveLimits(options);
  const handleOptions: HandleOptions = {
    resource,
    numbering: `journal/${root}/${resource}`,
    ...limits,
    order: "any",
    // The cell keeps its own table.
    rememberOperations: 0,
  };
  const cell = new JournalCell({ root, resource, rememberOperations }, files);
  const look = async (after: number) => pageOf<E>(cell, async () => cell.read(), after);
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
    entries: (entriesOptions) => entriesOf(resource, look, entriesOptions),
    follow: (followOptions) => followingOf(resource, realClock, look, followOptions),
  };
}
