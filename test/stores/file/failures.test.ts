/** What a failing file system looks like to the caller. Injected at the port: the suite may run as root. */

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type ErrorCode, TenureError } from "../../../src/errors/index.js";
import type { FileSystem } from "../../../src/chain/file-system.js";
import { keyPath, markerPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore, type FileStoreOptions } from "../../../src/stores/file/index.js";
import { failing, interpose, recording, type Step } from "../../support/interposed.js";
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

const isVersionLink = ({ name, paths }: Step) => name === "link" && /\/\d+-/.test(paths[1] ?? "");

/** The error of a replacement on a file system with that fault, and the record that stands afterwards. */
async function replaceOn(fault: (files: FileSystem) => FileSystem): Promise<{
  error: unknown;
  wrote: boolean;
  temporaries: number;
}> {
  return inDirectory(async (directory) => {
    const expected = await putSeveral(fileStore(directory), 2);
    const own = record();
    const error: unknown = await createFileStore(directory, {}, fault(nodeFileSystem))
      .write(key, own, expected, call())
      .catch((cause: unknown) => cause);
    const wrote = (await nonceAt(fileStore(directory))) === own.nonce;
    return { error, wrote, temporaries: (await onDisk(directory)).temporaries };
  });
}

describe("errors before the link", () => {
  const expected: readonly (readonly [string, ErrorCode])[] = [
    ["EACCES", "STORE_DENIED"],
    ["EPERM", "STORE_DENIED"],
    ["EROFS", "STORE_READ_ONLY"],
    ["ENOSPC", "STORE_FULL"],
    ["EDQUOT", "STORE_FULL"],
    ["EIO", "STORE_UNREACHABLE"],
  ];
  for (const [name, code] of expected) {
    it(`when a new file meets ${name}, the write fails with ${code}, carries the cause and leaves the record`, async () => {
      const { error, wrote, temporaries } = await replaceOn((files) =>
        failing(files, name, (step) => step.name === "writeNew"),
      );
      expect(TenureError.is(error, code)).toBe(true);
      expect(error).toMatchObject({ cause: { code: name } });
      expect({ wrote, temporaries }).toEqual({ wrote: false, temporaries: 0 });
    });
  }

  it("when the new file cannot be made durable, it is not linked", async () => {
    const { error, wrote, temporaries } = await replaceOn((files) =>
      failing(files, "EIO", ({ name, paths }) => name === "sync" && /temp-/.test(paths[0] ?? "")),
    );
    expect(TenureError.is(error, "STORE_UNREACHABLE")).toBe(true);
    expect({ wrote, temporaries }).toEqual({ wrote: false, temporaries: 0 });
  });

  it("when a read meets EACCES, it fails with STORE_DENIED", async () => {
    await inDirectory(async (directory) => {
      await put(fileStore(directory), record());
      const files = failing(nodeFileSystem, "EACCES", ({ name, paths }) => {
        return name === "list" && paths[0] === keyPath(directory, key);
      });
      const read = createFileStore(directory, {}, files).read(key, call());
      await expect(read).rejects.toMatchObject({ code: "STORE_DENIED" });
    });
  });

  it("when there is no marker and none may be made, nothing was ever written: reads say absent, writes are denied", async () => {
    for (const [name, code] of [
      ["EACCES", "STORE_DENIED"],
      ["EROFS", "STORE_READ_ONLY"],
    ] as const) {
      await inDirectory(async (directory) => {
        const files = failing(nodeFileSystem, name, (step) => step.name === "writeNew", 2);
        const store = createFileStore(directory, {}, files);
        expect(await store.read(key, call())).toBeUndefined();
        const write = store.write(key, record(), undefined, call());
        await expect(write).rejects.toMatchObject({ code });
      });
    }
  });

  it("when the marker itself may not be read, a read fails rather than saying absent", async () => {
    await inDirectory(async (directory) => {
      await put(fileStore(directory), record());
      const files = failing(nodeFileSystem, "EACCES", ({ name }) => name === "read", 9);
      const read = createFileStore(directory, {}, files).read(key, call());
      await expect(read).rejects.toMatchObject({ code: "STORE_DENIED" });
    });
  });
});

describe("errors of the link and after it", () => {
  for (const name of ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]) {
    it(`when links meet ${name}, marker and versions fail with STORE_UNSUPPORTED`, async () => {
      const { error, wrote } = await replaceOn((files) => failing(files, name, isVersionLink));
      expect(TenureError.is(error, "STORE_UNSUPPORTED")).toBe(true);
      expect(wrote).toBe(false);
      await inDirectory(async (directory) => {
        const files = failing(nodeFileSystem, name, (step) => step.name === "link");
        const read = createFileStore(directory, {}, files).read(key, call());
        await expect(read).rejects.toMatchObject({ code: "STORE_UNSUPPORTED" });
        expect(await readdir(directory)).toEqual([]);
      });
    });
  }

  for (const name of ["EACCES", "ENOSPC", "EROFS", "EIO", "ENOENT"]) {
    it(`when the link was made and its directory's fsync meets ${name}, the outcome is unknown`, async () => {
      let linked = false;
      const { error, wrote } = await replaceOn((files) =>
        failing(files, name, (step) => {
          const hit = linked && step.name === "sync";
          linked ||= isVersionLink(step);
          return hit;
        }),
      );
      expect(error).toMatchObject({ code: "STORE_UNREACHABLE", outcome: "unknown", cause: { code: name } });
      expect(wrote).toBe(true);
    });
  }

  it("when a write went unanswered after its link, its own store shows the key only once the directory is durable", async () => {
    await inDirectory(async (directory) => {
      const expected = await putSeveral(fileStore(directory), 2);
      const steps: Step[] = [];
      const syncs = ({ name, paths }: Step) => name === "sync" && paths[0] === keyPath(directory, key);
      const store = createFileStore(
        directory,
        {},
        recording(failing(nodeFileSystem, "EIO", syncs, 2), steps),
      );
      const [own, next] = [record(), record()];
      const unknown = { code: "STORE_UNREACHABLE", cause: { code: "EIO" } };
      await expect(store.write(key, own, expected, call())).rejects.toMatchObject(unknown);
      // Whoever finds its own write there goes on from it, so it must not be shown as long as it may be lost.
      await expect(store.read(key, call())).rejects.toMatchObject(unknown);
      steps.length = 0;
      const answer = await store.write(key, next, expected, call());
      expect(answer).toMatchObject({ kind: "conflict", current: { body: { nonce: own.nonce } } });
      expect(steps.filter(syncs)).toHaveLength(1);
      steps.length = 0;
      expect(await store.read(key, call())).toMatchObject({ body: { nonce: own.nonce } });
      expect(steps.filter(syncs)).toEqual([]);
      // Others build nothing on it.
      expect(await nonceAt(fileStore(directory))).toBe(own.nonce);
    });
  });

  it("when the link was made and the listing after it fails, the outcome is unknown", async () => {
    let linked = false;
    const { error } = await replaceOn((files) =>
      failing(files, "EACCES", (step) => {
        const hit = linked && step.name === "list";
        linked ||= isVersionLink(step);
        return hit;
      }),
    );
    expect(error).toMatchObject({ code: "STORE_UNREACHABLE", cause: { code: "EACCES" } });
  });
});

describe("file systems that are refused", () => {
  for (const [type, name] of [
    [0x6969, "NFS"],
    [0xff534d42, "CIFS"],
    [-11_317_950, "CIFS"],
    [0x01021997, "9p"],
    [0x00c36400, "Ceph"],
    [0x65735546, "FUSE"],
  ] as const) {
    it(`when statfs reports type ${type}, every operation fails with STORE_UNSUPPORTED and names ${name}`, async () => {
      await inDirectory(async (directory) => {
        const files = { ...nodeFileSystem, mountType: async () => type };
        const store = createFileStore(directory, {}, files);
        const acts = [
          async () => store.read(key, call()),
          async () => store.write(key, record(), undefined, call()),
        ];
        for (const act of acts) {
          const error: unknown = await act().catch((cause: unknown) => cause);
          expect(TenureError.is(error, "STORE_UNSUPPORTED")).toBe(true);
          expect(String(error)).toContain(name);
        }
      });
    });
  }
});

describe("cancellation and closing", () => {
  it("when the signal is aborted before the link, nothing is linked and the write rejects with its reason", async () => {
    await inDirectory(async (directory) => {
      const expected = await putSeveral(fileStore(directory), 1);
      const ended = new AbortController();
      const reason = new Error("no longer wanted");
      const files = interpose(nodeFileSystem, async ({ name, paths }, run) => {
        const result = await run();
        if (name === "sync" && /temp-/.test(paths[0] ?? "")) ended.abort(reason);
        return result;
      });
      const write = createFileStore(directory, {}, files).write(
        key,
        record(),
        expected,
        call({ signal: ended.signal }),
      );
      await expect(write).rejects.toBe(reason);
      expect(await onDisk(directory)).toEqual({ numbers: [1], temporaries: 0 });
    });
  });

  it("when the signal is aborted after the link, the write is finished and answered", async () => {
    await inDirectory(async (directory) => {
      const ended = new AbortController();
      const files = interpose(nodeFileSystem, async (step, run) => {
        const result = await run();
        if (isVersionLink(step)) ended.abort();
        return result;
      });
      const store = createFileStore(directory, {}, files);
      const answer = await store.write(key, record(), undefined, call({ signal: ended.signal }));
      expect(answer.kind).toBe("written");
    });
  });

  it("when the store is disposed during a write, the write links nothing more, and later calls fail with STORE_CLOSED", async () => {
    await inDirectory(async (directory) => {
      let close = async () => {};
      const files = interpose(nodeFileSystem, async ({ name, paths }, run) => {
        const result = await run();
        if (name === "sync" && /temp-/.test(paths[0] ?? "") && paths[0]?.includes("_")) await close();
        return result;
      });
      const store = createFileStore(directory, {}, files);
      close = async () => store[Symbol.asyncDispose]();
      const write = store.write(key, record(), undefined, call());
      await expect(write).rejects.toMatchObject({ code: "STORE_CLOSED" });
      expect((await onDisk(directory)).numbers).toEqual([]);
      await expect(store.read(key, call())).rejects.toMatchObject({ code: "STORE_CLOSED" });
    });
  });
});

describe("options", () => {
  it("when an option is out of range, construction names it, and nothing was touched", async () => {
    await inDirectory(async (directory) => {
      const wrong: readonly [FileStoreOptions, string][] = [
        [{ keepVersions: 3 }, "keepVersions"],
        [{ keepVersions: 4.5 }, "keepVersions"],
        [{ keepVersions: Number.NaN }, "keepVersions"],
        [{ maxTtlMs: 999 }, "maxTtlMs"],
      ];
      for (const [options, name] of wrong) expect(() => fileStore(directory, options)).toThrow(name);
      expect(() => fileStore("")).toThrow("directory");
    });
  });

  it("when a store is only constructed, the file system is not touched", async () => {
    await inDirectory(async (directory) => {
      const steps: Step[] = [];
      const store = createFileStore(directory, { keepVersions: 4 }, recording(nodeFileSystem, steps));
      await store[Symbol.asyncDispose]();
      expect(steps).toEqual([]);
    });
  });
});

describe("what an operator left behind", () => {
  it("when a file is where the directory should be, operations fail with the cause attached", async () => {
    await inDirectory(async (directory) => {
      await writeFile(directory, "");
      const read = fileStore(directory).read(key, call());
      await expect(read).rejects.toMatchObject({ code: "STORE_UNREACHABLE", cause: { code: "ENOTDIR" } });
    });
  });

  it("when other files lie in the directories, they are ignored and stay", async () => {
    await inDirectory(async (directory) => {
      await mkdir(keyPath(directory, key), { recursive: true });
      const strays = ["notes.txt", "0000000000000000-x", "1-x", "99999999999999999-x", ".DS_Store"];
      for (const name of strays) await writeFile(`${keyPath(directory, key)}/${name}`, "x");
      await putSeveral(fileStore(directory, { keepVersions: 4 }), 9);
      expect(await readdir(keyPath(directory, key))).toEqual(expect.arrayContaining(strays));
      expect(await readdir(directory)).toContain(markerPath(""));
    });
  });
});
