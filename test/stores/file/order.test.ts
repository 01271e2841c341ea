/** The order of steps in a write, seen by a recording twin of the file system. */

import { describe, expect, it } from "vitest";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { appending, missing, outline } from "../../support/disk-steps.js";
import { recording, type Step } from "../../support/interposed.js";
import { call, inDirectory, key, put, record, createFileStore } from "./scene.js";

describe("the order of steps in a write", () => {
  it("when a key is replaced, the new file is synced, linked, its directory synced, and only then listed and answered", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const store = createFileStore(directory, {}, recording(nodeFileSystem, steps));
      let version = await put(store, record());
      for (let number = 2; number <= 24; number += 1) {
        steps.length = 0;
        version = await put(store, record({ seq: number }), version);
        const seen = outline(directory, keyPath(directory, key), steps);
        const from = seen.indexOf("writeNew new");
        expect(seen.slice(from, from + 5)).toEqual(appending(number).slice(0, 5));
        expect(missing(seen, appending(number))).toEqual([]);
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
        ...appending(1),
      ];
      expect(missing(outline(directory, keyPath(directory, key), steps), wanted)).toEqual([]);
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
