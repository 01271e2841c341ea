/**
 * A guarded value in a directory, for the processes of one host.
 *
 * Promise: P2 between all processes that use the directory; an applied write is on disk
 * before it is answered; a process that is frozen or killed at any point blocks nobody and
 * tears nothing. Assumption: a local file system on which link(2) is atomic and fsync(2)
 * means it; nobody puts back an older copy of the directory. Non-promise: nothing between
 * hosts; a value that is read by others than its leader may be newer than what is on disk.
 * The whole value is written with every transaction.
 */

import { nodeFileSystem } from "../../chain/node-file-system.js";
import type { ValueGuard } from "../value-guard.js";
import { type FileGuardOptions, openFileGuard } from "./open.js";

/** The first operation makes the directory where it is missing. A store's directory is refused. */
export function fileGuard<V>(directory: string, options: FileGuardOptions<V>): ValueGuard<V> {
  return openFileGuard(directory, options, nodeFileSystem);
}
