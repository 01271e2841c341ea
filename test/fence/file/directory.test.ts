/** Directories and contents that are not this guard's, limits, and what is kept. */

import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileGuard } from "../../../src/fence/file/index.js";
import { readKeptVersions } from "../../../src/fence/file/kept-versions.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { call, key, record } from "../../stores/file/scene.js";
import { recording, type Step } from "../../support/interposed.js";
import { fence } from "../scene.js";
import { append, failure, inDirectory, onDisk, openGuard, resource, standing } from "./scene.js";

/** The file of the newest version. */
async function headOf(directory: string): Promise<string> {
  const path = keyPath(directory, resource);
  const names = (await readdir(path)).filter((name) => /^\d/.test(name)).toSorted();
  return join(path, names.at(-1) ?? "");
}

describe("a directory of something else", () => {
  it("when it is a store's, every operation fails with STORE_MISMATCH as its cause, and a guard's is refused by a store", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      await store.write(key, record(), undefined, call());
      const before = await readdir(directory, { recursive: true });
      const guard = openGuard(directory);
      for (const act of [async () => guard.claim(fence()), async () => guard.inspect()]) {
        const error = await failure(act());
        expect(error).toMatchObject({ code: "GUARD_FAILED", cause: { code: "STORE_MISMATCH" } });
      }
      expect(await readdir(directory, { recursive: true })).toEqual(before);
    });
    await inDirectory(async (directory) => {
      await openGuard(directory).claim(fence());
      const error = await failure(fileStore(directory).read(key, call()));
      expect(error).toMatchObject({ code: "STORE_MISMATCH" });
    });
  });

  it("when it is replaced under a handle, the handle's claim is missing and the new one is left alone", async () => {
    await inDirectory(async (directory) => {
      const guard = openGuard(directory);
      const handle = await guard.claim(fence({ token: 8 }));
      await append(handle, "1");
      await rename(directory, `${directory}-away`);
      await append(await openGuard(directory).claim(fence({ token: 3, owner: "b" })), "new");
      expect(await failure(append(handle, "late"))).toMatchObject({ code: "CLAIM_MISSING" });
      expect(await standing(directory)).toEqual({ texts: ["new"], watermark: 3 });
    });
  });

  it("when it is on a network file system, nothing is written there", async () => {
    await inDirectory(async (directory) => {
      const guard = openGuard(directory, { ...nodeFileSystem, mountType: async () => 0x6969 });
      const error = await failure(guard.claim(fence()));
      expect(error).toMatchObject({ code: "GUARD_FAILED", cause: { code: "STORE_UNSUPPORTED" } });
    });
  });
});

describe("content that cannot be read", () => {
  const contents = [
    ["no JSON", "{"],
    ["something else", '{"hello":"world"}'],
    ["a later format", '{"v":2,"nonce":"n","rows":[],"operations":[],"later":true}'],
    [
      "a broken row",
      '{"v":1,"nonce":"n","rows":[{"namespace":"a","election":"b","row":{"v":1}}],"operations":[]}',
    ],
    ["nothing", ""],
  ] as const;
  for (const [what, text] of contents) {
    it(`when the newest version is ${what}, claims, reads and writes are GUARD_ROW_UNREADABLE and it stays as it is`, async () => {
      await inDirectory(async (directory) => {
        const guard = openGuard(directory);
        const handle = await guard.claim(fence());
        await append(handle, "1");
        const head = await headOf(directory);
        await writeFile(head, text);
        const acts = [
          async () => guard.claim(fence({ token: 9, owner: "b" })),
          async () => append(handle, "2"),
          async () => handle.read(),
          async () => guard.inspect(),
        ];
        for (const act of acts) {
          expect(await failure(act())).toMatchObject({ code: "GUARD_ROW_UNREADABLE", outcome: "definite" });
        }
        expect(await readFile(head, "utf8")).toBe(text);
        expect(await headOf(directory)).toBe(head);
      });
    });
  }
});

describe("limits", () => {
  it("when a value would exceed maxBytes, the write is VALUE_TOO_LARGE, nothing is written and smaller ones go on", async () => {
    await inDirectory(async (directory) => {
      const handle = await openGuard(directory, nodeFileSystem, { maxBytes: 2_048 }).claim(fence());
      await append(handle, "1");
      const before = await onDisk(directory);
      const error = await failure(append(handle, "x".repeat(2_048)));
      expect(error).toMatchObject({ code: "VALUE_TOO_LARGE", outcome: "definite" });
      expect(await onDisk(directory)).toEqual(before);
      await append(handle, "2");
      expect((await standing(directory)).texts).toEqual(["1", "2"]);
    });
  });

  it("when what is there is above this guard's maxBytes, it is not read and not overwritten", async () => {
    await inDirectory(async (directory) => {
      const handle = await openGuard(directory).claim(fence());
      await append(handle, "x".repeat(4_096));
      const small = openGuard(directory, nodeFileSystem, { maxBytes: 1_024 });
      expect(await failure(small.claim(fence({ token: 9 })))).toMatchObject({ code: "GUARD_ROW_UNREADABLE" });
      await append(handle, "2");
    });
  });

  it("when an option is out of range, construction names it, and nothing was touched", async () => {
    await inDirectory(async (directory) => {
      const base = { resource, initial: [] };
      for (const [name, options] of [
        ["keepVersions", { keepVersions: 3 }],
        ["keepVersions", { keepVersions: 4.5 }],
        ["maxBytes", { maxBytes: 1_023 }],
        ["maxBytes", { maxBytes: 2 ** 28 + 1 }],
        ["resource", { resource: "" }],
        ["order", { order: "loose" as "any" }],
        ["rememberOperations", { rememberOperations: -1 }],
        ["initial", { initial: (() => {}) as unknown as [] }],
        ["keepVersion", { keepVersion: 4 }],
      ] as const) {
        expect(() => fileGuard(directory, { ...base, ...options }), name).toThrow(name);
      }
      expect(() => fileGuard("", base)).toThrow("directory");
      const steps: Step[] = [];
      openGuard(directory, recording(nodeFileSystem, steps));
      expect(steps).toEqual([]);
    });
  });
});

describe("what is kept", () => {
  it("when keepVersions is a number, so many newest versions and the first one stay, and the chain goes on", async () => {
    await inDirectory(async (directory) => {
      const handle = await openGuard(directory, nodeFileSystem, { keepVersions: 4 }).claim(fence());
      for (let index = 1; index <= 20; index += 1) await append(handle, String(index));
      expect(await onDisk(directory)).toEqual({ numbers: [1, 18, 19, 20, 21], temporaries: 0 });
    });
  });

  it("when keepVersions is Infinity, every claim and every write can be read back in order", async () => {
    await inDirectory(async (directory) => {
      const options = { keepVersions: Number.POSITIVE_INFINITY };
      const handle = await openGuard(directory, nodeFileSystem, options).claim(fence());
      for (let index = 1; index <= 20; index += 1) await append(handle, String(index));
      const kept = await readKeptVersions(directory, resource);
      expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      const seqs = kept.map(({ body }) => (typeof body === "string" ? body : body.fencing.rows[0]?.row.seq));
      expect(seqs).toEqual(Array.from({ length: 21 }, (_, index) => index));
    });
  });

  it("when other files lie in the directories, they are ignored and stay", async () => {
    await inDirectory(async (directory) => {
      const path = keyPath(directory, resource);
      await mkdir(path, { recursive: true });
      const strays = ["notes.txt", "0000000000000000-x", "1-x", ".DS_Store", "0000000000000009-stranger"];
      for (const name of strays) await writeFile(join(path, name), "x");
      const handle = await openGuard(directory, nodeFileSystem, { keepVersions: 4 }).claim(fence());
      for (let index = 1; index <= 6; index += 1) await append(handle, String(index));
      expect((await standing(directory)).texts).toHaveLength(6);
      expect(await readdir(path)).toEqual(expect.arrayContaining(strays.slice(0, 4)));
    });
  });
});
