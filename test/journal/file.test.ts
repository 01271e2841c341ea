/** The journal of files keeps the contract of journals. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "vitest";
import { keyPath } from "../../src/chain/layout.js";
import { nodeFileSystem } from "../../src/chain/node-file-system.js";
import { createFileJournal } from "../../src/journal/file-journal.js";
import { failing } from "../support/interposed.js";
import { type Harness, journalContract } from "./contract.mjs";
import { resource, versionsOnDisk } from "./scene.js";

async function open(): Promise<Harness> {
  const directory = await mkdtemp(join(tmpdir(), "tenure-journal-"));
  const path = keyPath(directory, resource);
  let armed = false;
  // The name is there, and may not be durable.
  const files = failing(
    nodeFileSystem,
    "EIO",
    ({ name, paths }) => armed && name === "sync" && paths[0] === path && !(armed = false),
    Infinity,
  );
  return {
    open: (limits = {}) => createFileJournal(directory, { resource, ...limits }, files),
    loseReply: () => void (armed = true),
    async damage(index) {
      // The claim is version 1.
      await rm(join(path, (await versionsOnDisk(directory))[index] ?? ""));
    },
    close: async () => rm(directory, { recursive: true }),
  };
}

journalContract({ describe, it, name: "file", open });
