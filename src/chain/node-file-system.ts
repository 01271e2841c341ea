/**
 * The file system port on Node's own functions.
 *
 * Must not catch anything: which failure means what is decided where the step is used.
 */

import { watch } from "node:fs";
import { link, mkdir, open, readdir, stat, statfs, unlink, utimes } from "node:fs/promises";
import { freshId } from "../base/random.js";
import type { FileSystem } from "./file-system.js";

/** A lease record fits in, so that it is read by one call. */
const firstBytes = 16_385;

export const nodeFileSystem: FileSystem = {
  mountType: async (path) => (await statfs(path)).type,
  async stat(path) {
    const { ino, birthtimeNs, mtimeMs } = await stat(path, { bigint: true });
    // A directory that is deleted and restored at once gets its old inode number back (seen on ext4).
    return { identity: `${ino}-${birthtimeNs}`, modifiedMs: Number(mtimeMs) };
  },
  list: async (path) => readdir(path),
  async read(path, limitBytes) {
    const file = await open(path, "r");
    try {
      const parts: Buffer[] = [];
      let length = 0;
      // A regular file on a local disk gives all it has, up to its end: fewer bytes than asked for are the last.
      for (let asked = -1, got = -1; asked === got && length < limitBytes; length += got) {
        asked = Math.min(Math.max(firstBytes, length), limitBytes - length);
        const { bytesRead, buffer } = await file.read(Buffer.alloc(asked), 0, asked, length);
        parts.push(buffer.subarray(0, bytesRead));
        got = bytesRead;
      }
      return Buffer.concat(parts).toString("utf8");
    } finally {
      await file.close();
    }
  },
  async writeNew(path, content) {
    const file = await open(path, "wx");
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
  },
  async sync(path) {
    const file = await open(path, "r");
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  },
  link,
  remove: unlink,
  makeDirectory: async (path) => mkdir(path, { recursive: true }),
  touch: async (path, modifiedMs) => utimes(path, modifiedMs / 1000, modifiedMs / 1000),
  watch(path, report) {
    const watcher = watch(path, { persistent: false }, (event) =>
      report(event === "change" ? "changed" : "gone"),
    );
    // A watcher that failed is as good as a file that is gone: whoever listens starts anew.
    watcher.on("error", () => report("gone"));
    return () => watcher.close();
  },
  freshId,
};
