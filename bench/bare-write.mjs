/**
 * The least that a durable compare-and-set on files costs: what the file store is read against.
 *
 * New file, fsync, link to the next name, fsync of the directory, unlink of the temporary name:
 * no comparison, no reading back, no pruning. Through the same asynchronous functions of Node as
 * the store, since their way through the thread pool costs as well.
 */

import { link, open, unlink } from "node:fs/promises";
import { join } from "node:path";

/** About the size of a lease record. */
const content = "x".repeat(400);

/**
 * @param {string} directory an empty one
 * @returns {() => Promise<number>} writes once and answers how long it took, ms
 */
export function createBareWrite(directory) {
  let count = 0;
  return async () => {
    count += 1;
    const [temporary, name] = [join(directory, "temp"), join(directory, `version-${count}`)];
    const startedAt = performance.now();
    const file = await open(temporary, "wx");
    await file.writeFile(content);
    await file.sync();
    await file.close();
    await link(temporary, name);
    const entries = await open(directory, "r");
    await entries.sync();
    await entries.close();
    await unlink(temporary);
    const tookMs = performance.now() - startedAt;
    // As few entries as a key of the store has.
    await unlink(name);
    return tookMs;
  };
}
