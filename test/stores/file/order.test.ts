/** The order of steps in a write, seen by a recording twin of the file system. */

import { basename, dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { recording, type Step } from "./interposed.js";
import { call, inDirectory, key, put, record, createFileStore } from "./scene.js";

/** Steps as "name kind", where kind tells new file, version, key directory and root apart. */
function outline(directory: string, steps: readonly Step[]): string[] {
  const kind = (path: string) => {
    if (path === directory) return "root";
    if (path === dirname(directory)) return "parent";
    if (path === keyPath(directory, key)) return "key";
    const name = basename(path);
    if (name.startsWith("temp-")) return "new";
    return /^\d/.test(name) ? `version ${Number(name.slice(0, 16))}` : name;
  };
  return steps.map(({ name, paths }) => `${name} ${kind(paths.at(-1) ?? "")}`);
}

const core = (number: number) => [
  "writeNew new",
  "sync new",
  `link version ${number}`,
  "sync key",
  "remove new",
  "list key",
];

/** What is missing of `wanted`, in this order with other steps in between. */
function missing(seen: readonly string[], wanted: readonly string[]): readonly string[] {
  let at = 0;
  for (const step of seen) if (step === wanted[at]) at += 1;
  return wanted.slice(at);
}

describe("the order of steps in a write", () => {
  it("when a key is replaced, the new file is synced, linked, its directory synced, and only then listed and answered", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const store = createFileStore(directory, {}, recording(nodeFileSystem, steps));
      let version = await put(store, record());
      for (let number = 2; number <= 24; number += 1) {
        steps.length = 0;
        version = await put(store, record({ seq: number }), version);
        const seen = outline(directory, steps);
        const from = seen.indexOf("writeNew new");
        expect(seen.slice(from, from + 5)).toEqual(core(number).slice(0, 5));
        expect(missing(seen, core(number))).toEqual([]);
        // What is deleted is deleted when the answer is safe.
        expect(seen.findIndex((step) => step.startsWith("remove version"))).not.toBeLessThan(
          number > 17 ? seen.lastIndexOf("list key") : -1,
        );
      }
    });
  });

  it("when a store is created, each directory entry is durable before anything below it can be seen", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      await put(createFileStore(directory, {}, recording(nodeFileSystem, steps)), record());
      const wanted = [
        "makeDirectory root",
        "sync parent",
        "writeNew new",
        "sync new",
        "link marker.json",
        "sync root",
        "mountType root",
        "makeDirectory key",
        "sync root",
        ...core(1),
      ];
      expect(missing(outline(directory, steps), wanted)).toEqual([]);
    });
  });

  it("when the expected version is not the head, the answer comes without making a file", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const store = createFileStore(directory, {}, recording(nodeFileSystem, steps));
      const old = await put(store, record());
      await put(store, record(), old);
      steps.length = 0;
      expect((await store.write(key, record(), old, call())).kind).toBe("conflict");
      expect(steps.filter(({ name }) => !["stat", "read", "list"].includes(name))).toEqual([]);
    });
  });
});
