/**
 * Every version of a guarded file that is still on disk, oldest first, for audits.
 *
 * With `keepVersions: Infinity` that is each claim and each write that ever counted, in the
 * order in which it did. Reads only, so it can be used on a copy or beside running processes.
 */

import { join, resolve } from "node:path";
import { predecessors, readChain } from "../../chain/chain.js";
import type { FileSystem } from "../../chain/file-system.js";
import { keyPath } from "../../chain/layout.js";
import { readGeneration } from "../../chain/marker.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { type Body, envelopeFormat } from "./cell.js";

export interface KeptVersion {
  /** Place in the chain, from 1. A gap never occurs; a chain that starts later was pruned. */
  readonly number: number;
  readonly body: Body;
  /** When its file was written, by the file system's wall clock, ms; before it became visible. */
  readonly modifiedMs: number;
}

/** Empty when the resource or the directory holds nothing. Throws what the file system throws. */
export async function readKeptVersions(
  directory: string,
  resource: string,
  files: FileSystem = nodeFileSystem,
): Promise<readonly KeptVersion[]> {
  const root = resolve(directory);
  const path = keyPath(root, resource);
  const generation = await readGeneration(files, root);
  if (generation === undefined) return [];
  const format = envelopeFormat(2 ** 28);
  const chain = await readChain(files, path, generation, format);
  const kept: KeptVersion[] = [];
  for await (const { file, body } of predecessors(files, path, chain, format)) {
    const { modifiedMs } = await files.stat(join(path, file.name));
    kept.push({ number: file.number, body, modifiedMs });
  }
  return kept.toReversed();
}
