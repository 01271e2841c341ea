/** What a register in a directory keeps on disk for those who asked for more than its newest versions. */

import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../src/chain/file-system.js";
import { keyPath } from "../../src/chain/layout.js";
import { nodeFileSystem } from "../../src/chain/node-file-system.js";
import { FileCell } from "../../src/fence/file/cell.js";
import { stopping } from "../support/interposed.js";
import { inDirectory } from "../stores/file/scene.js";

const resource = "ledger";

/** Keeps everything from number 2 on. */
function openCell(root: string, files: FileSystem = nodeFileSystem): FileCell {
  const carry = (before: string | undefined, change: string | undefined) => change ?? before;
  const terms = { holds: "test" };
  return new FileCell(
    { root, resource, terms, maxBytes: 4_096, carry, keep: (number) => Math.max(4, number - 1) },
    files,
  );
}

async function put(cell: FileCell, value: number): Promise<void> {
  const before = await cell.read();
  const replaced = await cell.replace(before, before.fencing, String(value), () => {});
  expect(replaced).toEqual({ kind: "replaced" });
}

describe("a writer that asks for its predecessors to be kept", () => {
  it("when it is frozen after its link while others go on, removes nothing that they or it still need", async () => {
    await inDirectory(async (directory) => {
      const rival = openCell(directory);
      for (let value = 1; value <= 5; value += 1) await put(rival, value);
      let linked = false;
      const { files, reached, thaw } = stopping(nodeFileSystem, "before", ({ name }) => {
        linked ||= name === "link";
        return linked && name === "list";
      });
      const write = put(openCell(directory, files), 6);
      await reached;
      for (let value = 7; value <= 12; value += 1) await put(rival, value);
      thaw();
      await write;
      const names = await readdir(keyPath(directory, resource));
      const numbers = names.map((name) => Number(name.slice(0, 16))).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    });
  });
});
