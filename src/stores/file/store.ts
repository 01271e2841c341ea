/**
 * A store in a directory, for the processes of one host.
 *
 * Promise: linearizable compare-and-set between all processes that use the
 * directory; `written` means on disk, file and directory fsynced; no lock, so a
 * process that is frozen or killed at any point blocks nobody and tears nothing.
 * Assumption: a local file system on which link(2) is atomic and fsync(2) means it.
 * Non-promise: nothing between hosts (network file systems are refused as far as
 * they can be told); what a read shows may be newer than what is on disk; a
 * directory that an operator deletes or restores has forgotten, which is a new epoch.
 * Must not touch anything before the first operation; the work is done in `driver.ts`.
 */

import { resolve } from "node:path";
import { optionError, text } from "../../base/options.js";
import { resolveMaxTtlMs, type Store } from "../../lease/store.js";
import { createDriver } from "./driver.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";

export interface FileStoreOptions {
  /** Upper bound of every ttl in this store, ms; kept in the directory's marker. Default 15 000. */
  readonly maxTtlMs?: number;
  /**
   * How many versions of each key stay on disk, at least 4. Default 16: enough to look at what happened
   * last. `Infinity` keeps all of them for an audit; every read and write then lists them all.
   */
  readonly keepVersions?: number;
}

/** The first operation makes the directory where it is missing; until then nothing is touched. */
export function fileStore(directory: string, options: FileStoreOptions = {}): Store {
  const settings = {
    maxTtlMs: resolveMaxTtlMs(options.maxTtlMs),
    keepVersions: resolveKeepVersions(options.keepVersions),
    // A later chdir must not move the store.
    root: resolve(text("directory", directory, 4_096)),
  };
  return createDriver(settings, nodeFileSystem);
}

function resolveKeepVersions(keepVersions: number | undefined): number {
  const value = keepVersions ?? 16;
  if (value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= 4)) return value;
  throw optionError("keepVersions", keepVersions, "a whole number of at least 4, or Infinity");
}
