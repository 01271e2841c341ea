/**
 * Every version of a chain that is still on disk, oldest first, for audits.
 *
 * Where all are kept that is each write that ever counted, in the order in which it did;
 * otherwise the last few. Reads only: makes no marker and changes nothing, so it can be
 * used on a copy or beside running processes.
 */

import { join, resolve } from "node:path";
import { type Format, predecessors, readChain } from "./chain.js";
import type { FileSystem } from "./file-system.js";
import { keyPath } from "./layout.js";
import { readGeneration } from "./marker.js";

export interface KeptVersion<B> {
  /** Place in the chain, from 1. A gap never occurs; a chain that starts later was pruned. */
  readonly number: number;
  readonly body: B;
  /** When its file was written, by the file system's wall clock, ms; before it became visible. */
  readonly modifiedMs: number;
}

/** Empty when the key or the directory holds nothing. Throws what the file system throws. */
export async function readKept<B>(
  directory: string,
  key: string,
  format: Format<B>,
  files: FileSystem,
): Promise<readonly KeptVersion<B>[]> {
  const root = resolve(directory);
  const path = keyPath(root, key);
  const generation = await readGeneration(files, root);
  if (generation === undefined) return [];
  const chain = await readChain(files, path, generation, format);
  const kept: KeptVersion<B>[] = [];
  for await (const { file, body } of predecessors(files, path, chain, format)) {
    const { modifiedMs } = await files.stat(join(path, file.name));
    kept.push({ number: file.number, body, modifiedMs });
  }
  return kept.toReversed();
}
