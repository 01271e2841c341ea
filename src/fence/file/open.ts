/** A file guard on a file system port: options checked, parts put together. */

import { resolve } from "node:path";
import { optionError, text } from "../../base/options.js";
import type { FileSystem } from "../../chain/file-system.js";
import { resolveValueOptions, type ValueGuardOptions } from "../cell-options.js";
import { createValueGuard, type ValueGuard } from "../value-guard.js";
import { FileCell } from "./cell.js";

export interface FileGuardOptions<V> extends ValueGuardOptions<V> {
  /** Names the resource within the directory. 1 to 1 024 bytes. */
  readonly resource: string;
  /** Upper bound of a version, value and fencing together, in bytes: 1 024 to 2^28. Default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * How many versions stay on disk, at least 4. Default 16. `Infinity` keeps all of them for an audit; every
   * read and write then lists them all.
   */
  readonly keepVersions?: number;
}

/** Touches nothing before the first operation. */
export function openFileGuard<V>(
  directory: string,
  options: FileGuardOptions<V>,
  files: FileSystem,
): ValueGuard<V> {
  const resolved = resolveValueOptions(options.resource, options, ["resource", "maxBytes", "keepVersions"]);
  const keepVersions = resolveKeepVersions(options.keepVersions);
  const root = resolve(text("directory", directory, 4_096));
  const cell = new FileCell(
    {
      root,
      resource: resolved.resource,
      terms: { holds: "guard" },
      maxBytes: resolveMaxBytes(options.maxBytes),
      carry: (before, change) => change ?? before,
      keep: () => keepVersions,
    },
    files,
  );
  const numbering = `file/${root}/${resolved.resource}`;
  return createValueGuard("file", cell, { ...resolved, numbering }, resolved.initial);
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
