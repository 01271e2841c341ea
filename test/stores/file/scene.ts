/** What the file store's tests are made of: directories of their own, records, calls. */

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshId } from "../../../src/base/random.js";
import type { LeaseRecord } from "../../../src/lease/record.js";
import type { Call, Store, Version } from "../../../src/lease/store.js";
import { createDriver } from "../../../src/stores/file/driver.js";
import type { FileSystem } from "../../../src/chain/file-system.js";
import type { FileStoreOptions } from "../../../src/stores/file/index.js";
import { keyPath } from "../../../src/chain/layout.js";

export const key = "default/invoices";

/** As `fileStore`, on a twin of the file system. */
export function createFileStore(directory: string, options: FileStoreOptions, files: FileSystem): Store {
  const { maxTtlMs = 15_000, keepVersions = 16 } = options;
  return createDriver({ root: directory, maxTtlMs, keepVersions }, files);
}

/** A path whose parent exists; removed when the test is done. */
export async function inDirectory<T>(test: (directory: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "tenure-file-"));
  try {
    return await test(join(home, "store"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

export function record(change: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    v: 1,
    instance: "a",
    writer: "a",
    nonce: freshId(),
    token: 1,
    seq: 1,
    ttlMs: 1_000,
    state: "held",
    expiry: "observed",
    node: "node-a",
    electedAt: 1,
    metadata: {},
    ...change,
  };
}

export function call(change: Partial<Call> = {}): Call {
  const { signal } = new AbortController();
  return { signal, timeoutMs: 1_000, absence: "prove", takeover: "observed", ...change };
}

/** A write that must go well. */
export async function put(store: Store, wanted: LeaseRecord, expected?: Version): Promise<Version> {
  const answer = await store.write(key, wanted, expected, call({ absence: "waited" }));
  if (answer.kind !== "written") throw new Error(`not written: ${JSON.stringify(answer)}`);
  return answer.version;
}

/** `count` writes, each on top of what is there. */
export async function putSeveral(store: Store, count: number): Promise<Version | undefined> {
  let version = (await store.read(key, call()))?.version;
  for (let index = 0; index < count; index += 1) {
    version = await put(store, record({ instance: "rival", writer: "rival" }), version);
  }
  return version;
}

export async function nonceAt(store: Store): Promise<string | undefined> {
  const body = (await store.read(key, call()))?.body;
  return typeof body === "object" ? body.nonce : body;
}

/** Numbers of the versions on disk, and how many files of unfinished writes. */
export async function onDisk(directory: string): Promise<{ numbers: number[]; temporaries: number }> {
  const names = await readdir(keyPath(directory, key));
  const numbers = names.filter((name) => /^\d/.test(name)).map((name) => Number(name.slice(0, 16)));
  const temporaries = names.filter((name) => name.startsWith("temp-")).length;
  return { numbers: numbers.toSorted((a, b) => a - b), temporaries };
}
