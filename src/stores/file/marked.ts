/** What a directory was made with, for those who have to follow it. Makes nothing. */

import type { FileSystem } from "../../chain/file-system.js";
import { readTerms } from "../../chain/marker.js";
import { nodeFileSystem } from "../../chain/node-file-system.js";
import { stepFailed } from "./failures.js";

/** Undefined where there is no store. Rejects with what the store itself would say. */
export async function readMaxTtlMs(
  directory: string,
  files: FileSystem = nodeFileSystem,
): Promise<number | undefined> {
  try {
    const maxTtlMs = (await readTerms(files, directory))?.["maxTtlMs"];
    return typeof maxTtlMs === "number" ? maxTtlMs : undefined;
  } catch (cause) {
    throw stepFailed(cause, directory, new AbortController().signal);
  }
}
