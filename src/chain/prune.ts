/**
 * Removes versions that nobody needs any more, and files of writers that died.
 *
 * Kept are the last `keepVersions`, so that the head always has its predecessor,
 * and number 1: its name is the only one that another chain in the same place
 * could use again, so a pruner that wakes up late could remove a live record.
 * All other names carry a nonce and are never used twice.
 *
 * Upwards, and an end at the first failure: readers rely on a version being gone
 * only when all before it are (`chain.ts`). Runs when the answer is safe and must
 * not fail it.
 */

import { join } from "node:path";
import type { Chain } from "./chain.js";
import { errorName } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import type { VersionFile } from "./layout.js";

/** A writer this slow has lost its lease long ago; if its file goes under its hands, its link fails, no more. */
const abandonedAfterMs = 3_600_000;

/** `own` is the version just written: its modification time stands for now. Never throws. */
export async function prune(
  files: FileSystem,
  path: string,
  chain: Chain<unknown>,
  own: VersionFile,
  keepVersions: number,
): Promise<void> {
  try {
    const newest = chain.head?.file.number ?? 0;
    const old = chain.versions.filter(({ number }) => number > 1 && number <= newest - keepVersions);
    for (const { name } of old.toReversed()) await removeIfThere(files, join(path, name));
    if (chain.temporaries.length === 0) return;
    const { modifiedMs } = await files.stat(join(path, own.name));
    for (const name of chain.temporaries) {
      const age = modifiedMs - (await files.stat(join(path, name))).modifiedMs;
      if (age > abandonedAfterMs) await removeIfThere(files, join(path, name));
    }
  } catch {
    // The next write tries again.
  }
}

async function removeIfThere(files: FileSystem, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch (cause) {
    if (errorName(cause) !== "ENOENT") throw cause;
  }
}
