/** Which versions stay on disk, what is cleared away, and how an audit reads them. */

import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readKeptVersions } from "../../../src/stores/file/kept-versions.js";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { failing } from "../../support/interposed.js";
import { call, inDirectory, key, onDisk, put, putSeveral, record, createFileStore } from "./scene.js";

describe("versions that are kept", () => {
  it("when more were written than are kept, the first and the last few are left", async () => {
    await inDirectory(async (directory) => {
      await putSeveral(fileStore(directory), 20);
      expect((await onDisk(directory)).numbers).toEqual([1, ...Array.from({ length: 16 }, (_, i) => i + 5)]);
      await putSeveral(fileStore(directory, { keepVersions: 4 }), 1);
      expect((await onDisk(directory)).numbers).toEqual([1, 18, 19, 20, 21]);
    });
  });

  it("when a removal fails, the write is answered all the same and the next write clears up", async () => {
    await inDirectory(async (directory) => {
      const keeping = { keepVersions: 4 };
      await putSeveral(fileStore(directory, keeping), 5);
      const files = failing(nodeFileSystem, "EIO", ({ name, paths }) => {
        return name === "remove" && /\/\d+-/.test(paths[0] ?? "");
      });
      const store = createFileStore(directory, keeping, files);
      await putSeveral(store, 1);
      expect((await onDisk(directory)).numbers).toEqual([1, 2, 3, 4, 5, 6]);
      await putSeveral(store, 1);
      expect((await onDisk(directory)).numbers).toEqual([1, 4, 5, 6, 7]);
    });
  });

  it("when several are to be removed and one cannot be, those above it stay: readers rely on gaps growing upwards", async () => {
    await inDirectory(async (directory) => {
      await putSeveral(fileStore(directory), 12);
      const files = failing(nodeFileSystem, "EIO", ({ name, paths }) => {
        return name === "remove" && /\/0*4-/.test(paths[0] ?? "");
      });
      await putSeveral(createFileStore(directory, { keepVersions: 4 }, files), 1);
      expect((await onDisk(directory)).numbers).toEqual([1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    });
  });

  it("when files of unfinished writes are more than an hour older than the newest version, they are removed", async () => {
    await inDirectory(async (directory) => {
      const version = await put(fileStore(directory), record());
      const path = keyPath(directory, key);
      for (const name of ["temp-old", "temp-new", "other"]) await writeFile(join(path, name), "");
      // Two hours before the epoch's first day is long before any version written now.
      await utimes(join(path, "temp-old"), 0, 0);
      await utimes(join(path, "other"), 0, 0);
      await put(fileStore(directory), record(), version);
      const names = await readdir(path);
      expect(names).toEqual(expect.arrayContaining(["temp-new", "other"]));
      expect(names).not.toContain("temp-old");
    });
  });
});

describe("a head that is no record", () => {
  it("when a write expects it, the answer is a conflict that shows it, and the file is left as it is", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      await putSeveral(store, 3);
      const path = keyPath(directory, key);
      const newest = join(path, (await readdir(path)).toSorted().findLast((name) => /^\d/.test(name)) ?? "");
      for (const [text, body] of [
        ["{}", "unreadable"],
        ['{"v":9}', "newer"],
        ["x".repeat(100_000), "unreadable"],
      ] as const) {
        await writeFile(newest, text);
        const current = await store.read(key, call());
        expect(current?.body).toBe(body);
        const answer = await store.write(key, record(), current?.version, call());
        expect(answer).toEqual({ kind: "conflict", current });
        expect(await readFile(newest, "utf8")).toBe(text);
      }
      expect((await onDisk(directory)).numbers).toEqual([1, 2, 3]);
    });
  });
});

describe("reading kept versions", () => {
  it("when all are kept, every write that counted is listed in order with its record and the time of its file", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory, { keepVersions: Number.POSITIVE_INFINITY, maxTtlMs: 20_000 });
      const records = Array.from({ length: 40 }, (_, index) => record({ seq: index + 1 }));
      let version: string | undefined;
      for (const each of records) version = await put(store, each, version);
      const kept = await readKeptVersions(directory, key);
      expect(kept.map(({ number }) => number)).toEqual(records.map((_, index) => index + 1));
      expect(kept.map(({ body }) => body)).toEqual(records);
      const times = kept.map(({ modifiedMs }) => modifiedMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThan(0);
    });
  });

  it("when a file does not belong to the chain, it is not listed, and pruned versions are not missed", async () => {
    await inDirectory(async (directory) => {
      await putSeveral(fileStore(directory, { keepVersions: 4 }), 9);
      const path = keyPath(directory, key);
      await writeFile(join(path, "0000000000000008-stranger"), JSON.stringify(record()));
      await writeFile(join(path, "0000000000000010-stranger"), JSON.stringify(record()));
      const kept = await readKeptVersions(directory, key);
      expect(kept.map(({ number }) => number)).toEqual([6, 7, 8, 9]);
    });
  });

  it("when key or directory hold nothing, the list is empty and nothing is made", async () => {
    await inDirectory(async (directory) => {
      expect(await readKeptVersions(directory, key)).toEqual([]);
      await expect(readdir(directory)).rejects.toMatchObject({ code: "ENOENT" });
      await fileStore(directory).read(key, call());
      expect(await readKeptVersions(directory, key)).toEqual([]);
    });
  });
});
