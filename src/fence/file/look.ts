/**
 * What fences the resources of a directory, for those who only look: makes nothing and claims nothing.
 */

import { join, resolve } from "node:path";
import { readChain } from "../../chain/chain.js";
import { errorName } from "../../chain/failures.js";
import type { FileSystem } from "../../chain/file-system.js";
import { markerPath } from "../../chain/layout.js";
import { readGeneration, readTerms } from "../../chain/marker.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import type { FenceAct } from "../acts.js";
import type { ElectionRow } from "../cell.js";
import { envelopeFormat } from "./cell.js";

export interface FencedResource {
  /** Its directory's name: that of the resource behind an underscore, or a readable part and a hash. */
  readonly directory: string;
  /** How many versions there have been. */
  readonly version: number;
  readonly rows: readonly ElectionRow[] | "newer" | "unreadable";
  /** What operators did, the latest last. */
  readonly acts: readonly FenceAct[];
}

export interface FencedDirectory {
  /** What its marker says: "guard", "journal", or nothing that is fenced. */
  readonly holds: unknown;
  readonly resources: readonly FencedResource[];
}

/** Undefined when there is no marker. Throws what the file system throws. */
export async function lookAtDirectory(
  directory: string,
  files: FileSystem = nodeFileSystem,
): Promise<FencedDirectory | undefined> {
  const root = resolve(directory);
  const [terms, generation] = [await readTerms(files, root), await readGeneration(files, root)];
  if (terms === undefined || generation === undefined) return undefined;
  const { holds } = terms;
  if (holds !== "guard" && holds !== "journal") return { holds, resources: [] };
  const resources: FencedResource[] = [];
  for (const name of (await files.list(root)).toSorted()) {
    const path = join(root, name);
    if (path === markerPath(root)) continue;
    const found = await lookAt(files, path, generation);
    if (found !== undefined) resources.push({ directory: name, ...found });
  }
  return { holds, resources };
}

async function lookAt(
  files: FileSystem,
  path: string,
  generation: string,
): Promise<Omit<FencedResource, "directory"> | undefined> {
  try {
    const { head } = await readChain(files, path, generation, envelopeFormat(2 ** 28));
    if (head === undefined) return undefined;
    const { body, file } = head;
    if (typeof body === "string") return { version: file.number, rows: body, acts: [] };
    const { rows, acts = [] } = body.fencing;
    return { version: file.number, rows, acts };
  } catch (cause) {
    // A file beside the resources, such as the temporary one of a marker.
    if (errorName(cause) === "ENOTDIR") return undefined;
    throw cause;
  }
}
