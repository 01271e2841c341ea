/** What the journal's tests are made of: journals in directories of their own, terms, entries. */

import { expect } from "vitest";
import type { FileSystem } from "../../src/chain/file-system.js";
import { keyPath } from "../../src/chain/layout.js";
import { nodeFileSystem } from "../../src/chain/node-file-system.js";
import type { Claimant, Sequence } from "../../src/fence/fence.js";
import { createSequence } from "../../src/fence/sequence.js";
import { createFileJournal, type FileJournalOptions } from "../../src/journal/file-journal.js";
import type { Journal, JournalHandle, Replay } from "../../src/journal/journal.js";
import { fence } from "../fence/scene.js";
import { createSimulatedDisk, type SimulatedDisk } from "../support/simulated-disk.js";

export const resource = "log";

export interface Entry {
  readonly n: number;
}

export type State = readonly number[];
export type Open = Journal<Entry, State>;
export type Handle = JournalHandle<Entry, State>;

export function open(
  directory: string,
  options: Partial<FileJournalOptions> = {},
  files: FileSystem = nodeFileSystem,
): Open {
  return createFileJournal(directory, { resource, ...options }, files);
}

/** A term, whose handles share one allocator. */
export function term(token: number, owner = `owner-${token}`): Claimant & { readonly outpacedBy: number[] } {
  const outpacedBy: number[] = [];
  const sequences = new Map<string, Sequence>();
  return {
    fence: fence({ token, owner }),
    outpacedBy,
    outpaced: (watermark) => void outpacedBy.push(watermark),
    sequence(name) {
      const known = sequences.get(name) ?? createSequence(name);
      sequences.set(name, known);
      return known;
    },
  };
}

/** Appends `from` to `to`, each as an operation of its own. */
export async function appendAll(handle: Handle, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await handle.append({ n }, { opId: `op-${n}` });
}

export function numbers({ entries }: Replay<Entry, State>): readonly number[] {
  return entries.map(({ entry }) => entry.n);
}

export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Names of the version files, oldest first. */
export async function versionsOnDisk(
  directory: string,
  files: FileSystem = nodeFileSystem,
): Promise<readonly string[]> {
  const names = await files.list(keyPath(directory, resource));
  return names.filter((name) => /^\d/.test(name)).toSorted();
}

/** Where a simulated disk has its journal. */
export const simulated = "/var/journal";

/** A disk that takes no time, so that a test can write thousands of versions. */
export async function simulatedDisk(): Promise<SimulatedDisk> {
  const disk = createSimulatedDisk();
  await disk.files.makeDirectory("/var");
  await disk.files.sync("/");
  return disk;
}

export async function failure(action: () => Promise<unknown>): Promise<unknown> {
  return action().then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
}
