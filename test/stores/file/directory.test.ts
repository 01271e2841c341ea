/** What an operator may do to the directory, and what the store makes of it. */

import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TenureError } from "../../../src/errors/index.js";
import type { Store, Written } from "../../../src/lease/store.js";
import { keyPath, markerPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { stopping } from "../../support/interposed.js";
import {
  call,
  inDirectory,
  key,
  nonceAt,
  onDisk,
  put,
  putSeveral,
  record,
  createFileStore,
} from "./scene.js";

/** A writer that compared and is about to link, when the operator acts and a rival goes on. */
async function actBeforeLink(
  before: number,
  act: (directory: string) => Promise<unknown>,
  goOn: (rival: Store) => Promise<unknown>,
): Promise<{ answer: Written | Error; standing: string | undefined; numbers: readonly number[] }> {
  return inDirectory(async (directory) => {
    const rival = fileStore(directory);
    await rival.read(key, call());
    const expected = await putSeveral(rival, before);
    const { files, reached, thaw } = stopping(nodeFileSystem, "before", ({ name, paths }) => {
      return name === "link" && paths[1] !== markerPath(directory);
    });
    const write = createFileStore(directory, {}, files)
      .write(key, record(), expected, call({ absence: "waited" }))
      .catch((error: Error) => error);
    await reached;
    await act(directory);
    await goOn(rival);
    thaw();
    const answer = await write;
    const { numbers } = await onDisk(directory).catch(() => ({ numbers: [] }));
    return { answer, standing: await nonceAt(fileStore(directory)), numbers };
  });
}

describe("a directory that changes between comparison and link", () => {
  const live = record({ instance: "rival", writer: "rival" });

  for (const before of [0, 1, 5]) {
    it(`when the key's directory is deleted and used again over ${before} versions, the late write does not count`, async () => {
      const { answer, standing } = await actBeforeLink(
        before,
        async (directory) => rm(keyPath(directory, key), { recursive: true }),
        async (rival) => put(rival, live),
      );
      expect(answer).toMatchObject({ kind: "conflict", current: { body: { nonce: live.nonce } } });
      expect(standing).toBe(live.nonce);
    });

    it(`when the whole directory is deleted and used again over ${before} versions, the late write does not count`, async () => {
      const { answer, standing } = await actBeforeLink(
        before,
        async (directory) => rm(directory, { recursive: true }),
        async (rival) => put(rival, live),
      );
      expect(answer).toMatchObject({ kind: "conflict", current: { body: { nonce: live.nonce } } });
      expect(standing).toBe(live.nonce);
    });
  }

  it("when the directory is deleted and nobody uses it again, the late write conflicts with nothing", async () => {
    const { answer } = await actBeforeLink(
      3,
      async (directory) => rm(directory, { recursive: true }),
      async () => {},
    );
    expect(answer).toEqual({ kind: "conflict", current: undefined });
  });

  it("when the key's directory and its unfinished file are deleted but the temporary is put back, the late link counts for nobody and is removed", async () => {
    let leftovers: string[] = [];
    const { answer, standing, numbers } = await actBeforeLink(
      5,
      async (directory) => {
        const path = keyPath(directory, key);
        const temporary = (await readdir(path)).find((name) => name.startsWith("temp-")) ?? "";
        const content = await readFile(join(path, temporary));
        await rm(path, { recursive: true });
        await put(fileStore(directory), live);
        await writeFile(join(path, temporary), content);
        leftovers = await readdir(path);
      },
      async () => {},
    );
    expect(leftovers).toHaveLength(2);
    expect(numbers).toEqual([1]);
    expect(answer).toMatchObject({ kind: "conflict", current: { body: { nonce: live.nonce } } });
    expect(standing).toBe(live.nonce);
  });

  it("when the directory is replaced by a copy of itself, the outcome is unknown and the epoch another one", async () => {
    const { answer } = await actBeforeLink(
      3,
      async (directory) => {
        await cp(directory, `${directory}-copy`, { recursive: true });
        await rename(directory, `${directory}-away`);
        await rename(`${directory}-copy`, directory);
      },
      async () => {},
    );
    expect(TenureError.is(answer, "STORE_UNREACHABLE")).toBe(true);
  });
});

describe("epochs", () => {
  it("when the directory is deleted, a create that must prove absence is unproven, and written after the wait", async () => {
    await inDirectory(async (directory) => {
      const [old, rival] = [fileStore(directory), fileStore(directory)];
      expect(await old.read(key, call())).toBeUndefined();
      await rm(directory, { recursive: true });
      await rival.read("default/other", call());
      const answer = await old.write(key, record(), undefined, call());
      expect(answer.kind).toBe("unproven");
      const waited = await old.write(key, record(), undefined, call({ absence: "waited" }));
      expect(waited).toMatchObject({ kind: "written", epoch: "epoch" in answer ? answer.epoch : "" });
    });
  });

  it("when a store object starts on an empty directory, its create proves absence at once", async () => {
    await inDirectory(async (directory) => {
      expect((await fileStore(directory).write(key, record(), undefined, call())).kind).toBe("written");
      const other = await fileStore(directory).write("default/other", record(), undefined, call());
      expect(other.kind).toBe("written");
    });
  });

  it("when a deleted directory is restored in its place, the same record is read in another epoch and old versions conflict", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      const version = await put(store, record());
      const before = await store.read(key, call());
      await cp(directory, `${directory}-copy`, { recursive: true, preserveTimestamps: true });
      await rm(directory, { recursive: true });
      await cp(`${directory}-copy`, directory, { recursive: true, preserveTimestamps: true });
      const after = await store.read(key, call());
      expect(after?.body).toEqual(before?.body);
      expect(after?.epoch).not.toBe(before?.epoch);
      expect((await store.write(key, record(), version, call())).kind).toBe("conflict");
      const proving = call({ absence: "prove" });
      expect((await store.write(key, record(), after?.version, proving)).kind).toBe("unproven");
      const waited = call({ absence: "waited" });
      expect((await store.write(key, record(), after?.version, waited)).kind).toBe("written");
    });
  });

  it("when an older copy is restored into the directory under running processes, undone versions conflict and the chain goes on", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      const second = await putSeveral(store, 2);
      const path = keyPath(directory, key);
      await cp(path, `${directory}-copy`, { recursive: true });
      const undone = await put(store, record(), second);
      await rm(path, { recursive: true });
      await cp(`${directory}-copy`, path, { recursive: true });
      expect((await store.write(key, record(), undone, call())).kind).toBe("conflict");
      const third = await put(store, record({ nonce: "third, again" }), second);
      expect(third).not.toBe(undone);
      expect((await store.write(key, record(), undone, call())).kind).toBe("conflict");
      expect(await nonceAt(store)).toBe("third, again");
    });
  });

  it("when the same file name holds another content after a restore, the content decides", async () => {
    await inDirectory(async (directory) => {
      const store = fileStore(directory);
      const first = await put(store, record());
      const path = keyPath(directory, key);
      await cp(path, `${directory}-copy`, { recursive: true });
      await put(store, record({ nonce: "second" }), first);
      const names = await readdir(path);
      await rm(path, { recursive: true });
      await cp(`${directory}-copy`, path, { recursive: true });
      const version = await put(store, record({ nonce: "another second" }), first);
      expect(await readdir(path)).toEqual(names);
      expect(await nonceAt(store)).toBe("another second");
      expect((await store.write(key, record(), version, call())).kind).toBe("written");
    });
  });
});

describe("the marker", () => {
  it("when it has another maxTtlMs, every operation fails naming both values and the directory", async () => {
    await inDirectory(async (directory) => {
      await put(fileStore(directory, { maxTtlMs: 20_000 }), record());
      const other = fileStore(directory, { maxTtlMs: 30_000 });
      const acts = [
        async () => other.read(key, call()),
        async () => other.write(key, record(), undefined, call()),
      ];
      for (const act of acts) {
        const error: unknown = await act().catch((cause: unknown) => cause);
        expect(TenureError.is(error, "STORE_MISMATCH")).toBe(true);
        expect(String(error)).toMatch(/20000.*30000/);
        expect(String(error)).toContain(directory);
      }
    });
  });

  it("when it cannot be read or is newer, operations fail and it is left as it is", async () => {
    for (const text of [
      "",
      "{",
      '{"v":2,"generation":"x","maxTtlMs":15000}',
      '{"v":1,"maxTtlMs":15000}',
      "[]",
    ]) {
      await inDirectory(async (directory) => {
        await mkdir(directory);
        await writeFile(markerPath(directory), text);
        const error: unknown = await fileStore(directory)
          .write(key, record(), undefined, call())
          .catch((cause: unknown) => cause);
        expect(TenureError.is(error, "STORE_MISMATCH")).toBe(true);
        expect(await readFile(markerPath(directory), "utf8")).toBe(text);
      });
    }
  });

  it("when it is deleted, first versions made under it stand no more and their versions conflict", async () => {
    await inDirectory(async (directory) => {
      const old = fileStore(directory);
      const version = await put(old, record());
      await rm(markerPath(directory));
      expect(await fileStore(directory).read(key, call())).toBeUndefined();
      const own = record();
      await put(fileStore(directory), own);
      expect(await nonceAt(old)).toBe(own.nonce);
      expect((await old.write(key, record(), version, call())).kind).toBe("conflict");
    });
  });

  it("when several store objects open an empty directory at once, they agree on one", async () => {
    await inDirectory(async (directory) => {
      const stores = Array.from({ length: 8 }, () => fileStore(directory));
      const answers = await Promise.all(
        stores.map(async (store, index) => store.write(`default/n${index}`, record(), undefined, call())),
      );
      expect(new Set(answers.map((answer) => "epoch" in answer && answer.epoch)).size).toBe(1);
      const names = await readdir(directory);
      expect(names.filter((name) => name.startsWith("temp-"))).toEqual([]);
    });
  });
});
