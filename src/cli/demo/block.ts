/**
 * Blocks the event loop of this process, as a long computation would: no timer, no
 * answer and no message comes through until it returns.
 */

import { existsSync } from "node:fs";
import { ppid as parent } from "node:process";

/** Returns once the file exists, or once the parent is gone, of which nothing else could tell now. */
export function blockUntilFile(path: string): void {
  while (!existsSync(path) && process.ppid === parent);
}
