/**
 * The file driver under a restore that keeps the directory, as rsync does: inode and marker stay what they were,
 * so only the versions can tell. The whole suite runs over it in test/stores/file, where a restore is a new directory.
 */

import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileStore } from "../../src/stores/file/index.js";
import { type StoreHarness, type StoreTestId, storeContract } from "../../src/testkit/index.js";
import { createRecordingRunner } from "./recording-runner.js";

async function open(): Promise<StoreHarness> {
  const home = await mkdtemp(join(tmpdir(), "tenure-testkit-"));
  const [directory, copy] = [join(home, "store"), join(home, "copy")];
  const absent = async () => expect.unreachable("only restores are tested here");
  return {
    store: () => fileStore(directory),
    operator: {
      remove: absent,
      wipe: absent,
      put: absent,
      snapshot: async () => cp(directory, copy, { recursive: true }),
      async restore() {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true });
        await cp(copy, directory, { recursive: true });
      },
    },
    close: async () => rm(home, { recursive: true }),
  };
}

it("when a directory is restored in place, the file driver and its elections notice", async () => {
  const runner = createRecordingRunner();
  const capabilities = { provesAbsence: true, storeClock: false, readBackProves: true, notifies: true };
  storeContract({ describe: runner.describe, it: runner.it, name: "file", open, capabilities });
  const ids: readonly StoreTestId[] = ["restored-state-conflicts", "restored-store-ends-the-term"];
  const outcomes = await runner.run(ids);
  expect(outcomes).toEqual(ids.map((id) => ({ id, error: undefined })));
});
