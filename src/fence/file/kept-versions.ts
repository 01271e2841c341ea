/** What a guarded file has held, as far as it is on disk, oldest first, for audits; each claim and each write. */

import type { FileSystem } from "../../chain/file-system.js";
import { type KeptVersion as Kept, readKept } from "../../chain/kept-versions.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { type Body, envelopeFormat } from "./cell.js";

export type KeptVersion = Kept<Body>;

/** Empty when the resource or the directory holds nothing. Throws what the file system throws. */
export async function readKeptVersions(
  directory: string,
  resource: string,
  files: FileSystem = nodeFileSystem,
): Promise<readonly KeptVersion[]> {
  return readKept(directory, resource, envelopeFormat(2 ** 28), files);
}
