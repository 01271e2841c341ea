/** The file driver keeps the contract of the store port. */

import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, it } from "vitest";
import { fileStore } from "../../../src/stores/file/index.js";
import { keyPath, versionFile } from "../../../src/chain/layout.js";
import { readGeneration } from "../../../src/chain/marker.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { storeContract } from "../../../src/testkit/index.js";

storeContract({
  describe,
  it,
  name: "file",
  capabilities: { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true },
  open: async () => {
    const home = await mkdtemp(join(tmpdir(), "tenure-file-"));
    const directory = join(home, "store");
    let moves = 0;
    // In one step, since a candidate may be writing into it.
    const moveAway = async (path: string) => rename(path, join(home, `away-${(moves += 1)}`));
    return {
      store: () => fileStore(directory),
      operator: {
        remove: async (key) => moveAway(keyPath(directory, key)),
        wipe: async () => moveAway(directory),
        async put(key, text) {
          const path = keyPath(directory, key);
          await mkdir(path, { recursive: true });
          const newest = (await readdir(path))
            .filter((name) => /^\d/.test(name))
            .toSorted()
            .at(-1);
          await writeFile(join(path, newest ?? (await firstName(directory))), text);
        },
        async snapshot() {
          const copy = join(home, `copy-${(moves += 1)}`);
          const filter = (path: string) => !basename(path).startsWith("temp-");
          await cp(directory, copy, { recursive: true, filter });
          return copy;
        },
        async restore(copy) {
          const staged = join(home, `staged-${(moves += 1)}`);
          await cp(copy as string, staged, { recursive: true });
          await moveAway(directory);
          await rename(staged, directory);
        },
      },
      close: async () => rm(home, { recursive: true, force: true }),
    };
  },
});

/** A record put by hand stands as a first version would, in a store that somebody has opened. */
async function firstName(directory: string): Promise<string> {
  await fileStore(directory).read("any/key", {
    signal: new AbortController().signal,
    timeoutMs: 1_000,
    absence: "waited",
    takeover: "observed",
  });
  return versionFile(1, (await readGeneration(nodeFileSystem, directory)) ?? "").name;
}
