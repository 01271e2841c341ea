/** Wakes through the bell: on changes of state, not on renewals, and never a reason to fail. */

import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import type { LeaseRecord } from "../../../src/lease/record.js";
import type { FileSystem } from "../../../src/chain/file-system.js";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { fileStore } from "../../../src/stores/file/index.js";
import { call, inDirectory, key, put, record, createFileStore } from "./scene.js";

interface Listener {
  count: number;
  /** Resolves at the next wake. */
  next(): Promise<void>;
}

/** A file system that tells when watching began, so that no test has to guess. */
function observed(): { files: FileSystem; begun: () => Promise<void> } {
  let begin = () => {};
  let beginning = new Promise<void>((resolve) => (begin = resolve));
  const files: FileSystem = {
    ...nodeFileSystem,
    watch(path, report) {
      const stop = nodeFileSystem.watch(path, report);
      begin();
      return stop;
    },
  };
  const begun = async () => {
    await beginning;
    beginning = new Promise((resolve) => (begin = resolve));
  };
  return { files, begun };
}

function listener(): Listener & { wake: () => void } {
  let told = () => {};
  const self = {
    count: 0,
    next: async () => new Promise<void>((resolve) => (told = resolve)),
    wake() {
      self.count += 1;
      told();
    },
  };
  return self;
}

describe("watching a key", () => {
  it("when holder, state, request or bid change, another store object is woken within 100 ms; renewals wake nobody", async () => {
    await inDirectory(async (directory) => {
      const { files, begun } = observed();
      const ended = new AbortController();
      const heard = listener();
      createFileStore(directory, {}, files).watch?.([key], heard.wake, ended.signal);
      await begun();
      const writer = fileStore(directory);
      let current = record();
      let version: string | undefined;
      const delays: number[] = [];
      const changes: readonly Partial<LeaseRecord>[] = [
        {},
        { instance: "b", writer: "b", token: 2 },
        { request: { id: "r1", verb: "resign", by: "operator" }, writer: "c" },
        { bid: { instance: "c", node: "node-c", requestId: "r1" }, writer: "c" },
        { state: "draining" },
        { state: "offered", offeredTo: "c" },
        { state: "released" },
      ];
      for (const change of changes) {
        const woken = heard.next();
        current = record({ ...current, ...change, nonce: record().nonce });
        version = await put(writer, current, version);
        const writtenAt = performance.now();
        await woken;
        delays.push(performance.now() - writtenAt);
        // Renewals in between; a wake of theirs would be counted until the next change has arrived.
        for (let turn = 0; turn < 3; turn += 1) {
          current = record({ ...current, seq: current.seq + 1, nonce: record().nonce });
          version = await put(writer, current, version);
        }
      }
      const woken = heard.next();
      version = await put(writer, record({ instance: "d" }), version);
      await woken;
      expect(heard.count).toBe(changes.length + 1);
      // The middle one, so that a machine that is busy with other tests does not decide.
      expect(delays.toSorted((a, b) => a - b)[3]).toBeLessThan(100);
      ended.abort();
      await put(writer, record({ instance: "e" }), version);
      expect(heard.count).toBe(changes.length + 1);
    });
  });

  it("when the bell is replaced or deleted, it wakes once more and the next read of the key makes it ring again", async () => {
    await inDirectory(async (directory) => {
      const { files, begun } = observed();
      const ended = new AbortController();
      const heard = listener();
      const follower = createFileStore(directory, {}, files);
      const writer = fileStore(directory);
      let version = await put(writer, record());
      follower.watch?.([key], heard.wake, ended.signal);
      await begun();
      const bell = join(keyPath(directory, key), "bell");
      const losses = [
        async () => rm(bell),
        async () => {
          await writeFile(`${bell}-new`, "");
          await rename(`${bell}-new`, bell);
        },
      ];
      for (const [index, lose] of losses.entries()) {
        let woken = heard.next();
        await lose();
        await woken;
        // The loss may be reported in several events; the last of them makes the next read start anew.
        const again = begun();
        for (let rounds = 0; rounds < 1_000; rounds += 1) {
          await follower.read(key, call());
          if ((await Promise.race([again.then(() => "begun"), Promise.resolve("not yet")])) === "begun")
            break;
        }
        await again;
        woken = heard.next();
        const before = heard.count;
        version = await put(writer, record({ instance: `i${index}` }), version);
        await woken;
        expect(heard.count).toBeGreaterThan(before);
      }
      ended.abort();
    });
  });

  it("when the key's directory is deleted under a watcher, it stays deleted", async () => {
    await inDirectory(async (directory) => {
      const { files, begun } = observed();
      const ended = new AbortController();
      const heard = listener();
      const follower = createFileStore(directory, {}, files);
      follower.watch?.([key], heard.wake, ended.signal);
      await begun();
      const woken = heard.next();
      await rm(keyPath(directory, key), { recursive: true });
      await woken;
      expect(await follower.read(key, call())).toBeUndefined();
      expect(await follower.read(key, call())).toBeUndefined();
      expect(await readdir(directory)).toEqual(["marker.json"]);
      ended.abort();
    });
  });

  it("when the system has no watches left, watching is silent and reads and writes go on", async () => {
    await inDirectory(async (directory) => {
      let asked = 0;
      const files: FileSystem = {
        ...nodeFileSystem,
        watch() {
          asked += 1;
          throw Object.assign(new Error("no watches"), { code: "ENOSPC" });
        },
      };
      const store = createFileStore(directory, {}, files);
      store.watch?.([key], () => expect.unreachable("nobody may be woken"), new AbortController().signal);
      const version = await put(store, record());
      await put(store, record({ state: "released" }), version);
      expect(asked).toBe(1);
    });
  });

  it("when the store is disposed or the signal aborted, every watch that began was stopped", async () => {
    await inDirectory(async (directory) => {
      let open = 0;
      const files: FileSystem = {
        ...nodeFileSystem,
        watch(path, report) {
          const stop = nodeFileSystem.watch(path, report);
          open += 1;
          return () => {
            open -= 1;
            stop();
          };
        },
      };
      const store = createFileStore(directory, {}, files);
      const [first, second] = [new AbortController(), new AbortController()];
      await put(store, record());
      await writeFile(join(keyPath(directory, key), "bell"), "");
      store.watch?.([key, key], () => {}, first.signal);
      store.watch?.([key], () => {}, second.signal);
      expect(open).toBe(2);
      first.abort();
      expect(open).toBe(1);
      await store[Symbol.asyncDispose]();
      expect(open).toBe(0);
      second.abort();
      expect(open).toBe(0);
    });
  });
});
