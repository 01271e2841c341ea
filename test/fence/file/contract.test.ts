/** The file guard keeps the contract of guards. */

import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, it } from "vitest";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { openFileGuard } from "../../../src/fence/file/open.js";
import { readKeptVersions } from "../../../src/fence/file/kept-versions.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import type { ValueHandle } from "../../../src/fence/value-guard.js";
import { interpose } from "../../support/interposed.js";
import { applyTo, type Texts } from "../texts.js";

/** A file system whose next link of a version breaks off, before or after it was made. */
function breakable() {
  let breaking: "before" | "after" | undefined;
  const files = interpose(nodeFileSystem, async ({ name, paths }, run) => {
    const hit = name === "link" && /\/\d+-/.test(paths[1] ?? "") ? breaking : undefined;
    if (hit === undefined) return run();
    breaking = undefined;
    if (hit === "after") await run();
    throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
  });
  return { files, breakNext: (when: "before" | "after") => void (breaking = when) };
}

async function open(): Promise<GuardHarness<ValueHandle<Texts>>> {
  const home = await mkdtemp(join(tmpdir(), "tenure-guard-"));
  const directory = join(home, "ledger");
  const { files, breakNext } = breakable();
  let moves = 0;
  // In one step, since somebody may be writing into it.
  const moveAway = async () => rename(directory, join(home, `away-${(moves += 1)}`));
  return {
    ...applyTo,
    guard: ({ resource, order, rememberOperations }) =>
      openFileGuard<Texts>(
        directory,
        { resource, order, rememberOperations: rememberOperations ? 16 : 0, initial: [] },
        files,
      ),
    async content(resource) {
      const head = (await readKeptVersions(directory, resource)).at(-1)?.body;
      return typeof head === "object" && head.value !== undefined ? (JSON.parse(head.value) as Texts) : [];
    },
    loseReply: breakNext,
    operator: {
      // Nothing is held between two calls, so there is nothing to stop.
      restart: async () => {},
      wipe: moveAway,
      async snapshot() {
        const copy = join(home, `copy-${(moves += 1)}`);
        const filter = (path: string) => !basename(path).startsWith("temp-");
        await cp(directory, copy, { recursive: true, filter });
        return copy;
      },
      async restore(copy) {
        const staged = join(home, `staged-${(moves += 1)}`);
        await cp(copy as string, staged, { recursive: true });
        await moveAway();
        await rename(staged, directory);
      },
    },
    close: async () => rm(home, { recursive: true, force: true }),
  };
}

guardContract({
  describe,
  it,
  name: "file",
  open,
  capabilities: {
    savesResults: true,
    ordersStrictly: true,
    remembersOperations: true,
    claimsPassWriters: true,
  },
});
