/** The file system port of numbered versions (`chain/file-system.ts`) on a disk of the lab. */

import type { FileSystem } from "../../chain/file-system.js";
import type { LabDisk } from "./disk.js";

/** The number of ext4, for the store refuses what hosts may share. */
const mountType = 0xef53;

/** `freshId`: the same ones in each run of a seed. */
export function filesOn(disk: LabDisk, freshId: () => string): FileSystem {
  return {
    async mountType(path) {
      await disk.facts(path);
      return mountType;
    },
    async stat(path) {
      const { id, modifiedMs } = await disk.facts(path);
      return { identity: String(id), modifiedMs };
    },
    list: async (path) => disk.list(path),
    read: async (path, limitBytes) => new TextDecoder().decode(await disk.read(path, 0, limitBytes)),
    async writeNew(path, content) {
      await disk.create(path);
      await disk.append(path, new TextEncoder().encode(content));
    },
    sync: async (path) => disk.sync(path),
    link: async (existing, name) => disk.link(existing, name),
    remove: async (path) => disk.remove(path),
    makeDirectory: async (path) => disk.makeDirectory(path),
    touch: async (path, modifiedMs) => disk.touch(path, modifiedMs),
    watch: (path, report) => disk.watch(path, report),
    freshId,
  };
}
