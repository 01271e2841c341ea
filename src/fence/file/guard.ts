/**
 * A guarded value in a directory, for the processes of one host.
 *
 * Promise: P2 between all processes that use the directory; an applied write is on disk
 * before it is answered; a process that is frozen or killed at any point blocks nobody and
 * tears nothing. Assumption: a local file system on which link(2) is atomic and fsync(2)
 * means it; nobody puts back an older copy of the directory. Non-promise: nothing between
 * hosts; a value that is read by others than its leader may be newer than what is on disk.
 * The whole value is written with every transaction.
 */

import { resolve } from "node:path";
import type { FileSystem } from "../../chain/file-system.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { optionError, text } from "../../base/options.js";
import { resolveValueOptions, type ValueGuardOptions } from "../cell-options.js";
import { createValueGuard, type ValueGuard } from "../value-guard.js";
import { FileCell } from "./cell.js";

export interface FileGuardOptions<V> extends ValueGuardOptions<V> {
  /** Names the resource within the directory; part of every attempt. 1 to 1 024 bytes. */
  readonly resource: string;
  /** Upper bound of a version, value and fencing together, in bytes: 1 024 to 2^28. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * How many versions stay on disk, at least 4. Default 16. `Infinity` keeps all of them for an audit; every
   * read and write then lists them all.
   */
  readonly keepVersions?: number;
}

/** The first operation makes the directory where it is missing. A store's directory is refused. */
export function fileGuard<V>(directory: string, options: FileGuardOptions<V>): ValueGuard<V> {
  return createFileGuard(directory, options, nodeFileSystem);
}

/** As `fileGuard`, on a twin of the file system. */
export function createFileGuard<V>(
  directory: string,
  options: FileGuardOptions<V>,
  files: FileSystem,
): ValueGuard<V> {
  const resolved = resolveValueOptions(options.resource, options, ["resource", "maxBytes", "keepVersions"]);
  const keepVersions = resolveKeepVersions(options.keepVersions);
  const cell = new FileCell(
    {
      root: resolve(text("directory", directory, 4_096)),
      resource: resolved.resource,
      terms: { holds: "guard" },
      maxBytes: resolveMaxBytes(options.maxBytes),
      carry: (before, change) => change ?? before,
      keep: () => keepVersions,
    },
    files,
  );
  return createValueGuard("file", cell, resolved, resolved.initial);
}

function resolveMaxBytes(maxBytes = 1_048_576): number {
  if (Number.isInteger(maxBytes) && maxBytes >= 1_024 && maxBytes <= 2 ** 28) return maxBytes;
  throw optionError("maxBytes", maxBytes, "a whole number of bytes from 1 024 to 2^28");
}

function resolveKeepVersions(keepVersions = 16): number {
  if (keepVersions === Infinity || (Number.isSafeInteger(keepVersions) && keepVersions >= 4))
    return keepVersions;
  throw optionError("keepVersions", keepVersions, "a whole number of at least 4, or Infinity");
}
