/** The records of a key that are still on disk, oldest first, for audits; all of them with `keepVersions: Infinity`. */

import type { FileSystem } from "../../chain/file-system.js";
import { type KeptVersion as Kept, readKept } from "../../chain/kept-versions.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { type Body, recordFormat } from "./format.js";

export type KeptVersion = Kept<Body>;

/** Empty when the key or the directory holds nothing. Throws what the file system throws. */
export async function readKeptVersions(
  directory: string,
  key: string,
  files: FileSystem = nodeFileSystem,
): Promise<readonly KeptVersion[]> {
  return readKept(directory, key, recordFormat, files);
}
