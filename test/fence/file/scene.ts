/** A guarded list of texts in a directory, and what tests do to it. */

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { FileSystem } from "../../../src/chain/file-system.js";
import { keyPath } from "../../../src/chain/layout.js";
import { nodeFileSystem } from "../../../src/chain/node-file-system.js";
import { openFileGuard, type FileGuardOptions } from "../../../src/fence/file/open.js";
import { readKeptVersions } from "../../../src/fence/file/kept-versions.js";
import type { ValueGuard, ValueHandle } from "../../../src/fence/value-guard.js";
import type { WriteOptions } from "../../../src/fence/writer.js";
import type { Step } from "../../support/interposed.js";
import type { Texts } from "../texts.js";

export const resource = "ledger";

export function openGuard(
  directory: string,
  files: FileSystem = nodeFileSystem,
  options: Partial<FileGuardOptions<Texts>> = {},
): ValueGuard<Texts> {
  return openFileGuard<Texts>(directory, { resource, initial: [], ...options }, files);
}

/** A path whose parent exists; removed when the test is done. */
export async function inDirectory<T>(test: (directory: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "tenure-guard-"));
  try {
    return await test(join(home, "ledger"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

export async function append(
  handle: ValueHandle<Texts>,
  text: string,
  options: WriteOptions = {},
): Promise<number> {
  return handle.transaction((tx) => {
    tx.value = [...tx.value, text];
    return tx.value.length;
  }, options);
}

/** What stands, read from the versions on disk. */
export async function standing(
  directory: string,
  files?: FileSystem,
): Promise<{ readonly texts: Texts; readonly watermark: number }> {
  const head = (await readKeptVersions(directory, resource, files)).at(-1)?.body;
  if (head === undefined) return { texts: [], watermark: 0 };
  if (typeof head === "string") throw new Error(`the head is ${head}`);
  const watermark = Math.max(0, ...head.fencing.rows.map(({ row }) => row.watermark));
  return { texts: head.value === undefined ? [] : (JSON.parse(head.value) as Texts), watermark };
}

/** Numbers of the versions on disk, and how many files of unfinished writes. */
export async function onDisk(directory: string): Promise<{ numbers: number[]; temporaries: number }> {
  const names = await readdir(keyPath(directory, resource));
  const numbers = names.filter((name) => /^\d/.test(name)).map((name) => Number(name.slice(0, 16)));
  const temporaries = names.filter((name) => name.startsWith("temp-")).length;
  return { numbers: numbers.toSorted((a, b) => a - b), temporaries };
}

export function isVersionLink({ name, paths }: Step): boolean {
  return name === "link" && /\/\d+-/.test(paths[1] ?? "");
}

/** What a promise that must reject rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
}

/** Runs with step 1, 2, 3 … until a run says that there was no such step; answers how many there were. */
export async function everyStep(run: (k: number) => Promise<boolean>): Promise<number> {
  let k = 1;
  while (await run(k)) k += 1;
  return k - 1;
}
