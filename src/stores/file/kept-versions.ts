/**
 * Every version of a key that is still on disk, oldest first, for audits.
 *
 * With `keepVersions: Infinity` that is each write that ever counted, in the
 * order in which it did; otherwise the last few. Reads only: makes no marker and
 * changes nothing, so it can be used on a copy or beside running processes.
 */

import { join, resolve } from "node:path";
import type { LeaseRecord } from "../../lease/record.js";
import { type Head, loadVersion, follows, readChain } from "./chain.js";
import { keyPath, type VersionFile } from "./layout.js";
import type { FileSystem } from "./file-system.js";
import { readGeneration } from "./marker.js";
import { nodeFileSystem } from "./node-file-system.js";

export interface KeptVersion {
  /** Place in the chain, from 1. A gap never occurs; a chain that starts later was pruned. */
  readonly number: number;
  readonly body: LeaseRecord | "newer" | "unreadable";
  /** When its file was written, by the file system's wall clock, ms; before it became visible. */
  readonly modifiedMs: number;
}

/** Empty when the key or the directory holds nothing. Throws what the file system throws. */
export async function readKeptVersions(
  directory: string,
  key: string,
  files: FileSystem = nodeFileSystem,
): Promise<readonly KeptVersion[]> {
  const root = resolve(directory);
  const path = keyPath(root, key);
  const generation = await readGeneration(files, root);
  if (generation === undefined) return [];
  const { head, versions } = await readChain(files, path, generation);
  const kept: KeptVersion[] = [];
  for (let at = head; at !== undefined; at = await predecessor(files, path, versions, at)) {
    const { modifiedMs } = await files.stat(join(path, at.file.name));
    kept.push({ number: at.file.number, body: at.body, modifiedMs });
  }
  return kept.toReversed();
}

async function predecessor(
  files: FileSystem,
  path: string,
  versions: readonly VersionFile[],
  head: Head,
): Promise<Head | undefined> {
  for (const file of versions) {
    if (file.number !== head.file.number - 1) continue;
    const before = await loadVersion(files, path, file);
    if (follows(head.file, before)) return before;
  }
  return undefined;
}
