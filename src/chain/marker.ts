/**
 * The marker: what makes a directory this one and not another.
 *
 * It carries a random generation and the terms on which the directory is used (a store's
 * `maxTtlMs`), is made once by link(2), and is read again by every operation, so that a
 * directory which was deleted, recreated or replaced by a copy is noticed at once: it is a
 * new epoch. A marker that cannot be read, or says something else, is never overwritten.
 */

import { dirname, join } from "node:path";
import { createError } from "../errors/index.js";
import { errorName, linkFailed } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import { markerPath, temporaryName } from "./layout.js";

export interface Identity {
  /** Names this directory with this content; another one may have forgotten. */
  readonly epoch: string;
  /** The predecessor of every first version in this directory. */
  readonly generation: string;
}

/** What every process that uses the directory must agree on, as it stands in the marker. */
export type Terms = Readonly<Record<string, string | number>>;

interface Marker {
  readonly generation: string;
  readonly terms: Readonly<Record<string, unknown>>;
}

const limitBytes = 4_096;

/** `undefined` when there is no directory or no marker in it. Throws STORE_MISMATCH when it is not ours. */
export async function readIdentity(
  files: FileSystem,
  directory: string,
  terms: Terms,
): Promise<Identity | undefined> {
  try {
    const [{ identity }, text] = await Promise.all([
      files.stat(directory),
      files.read(markerPath(directory), limitBytes),
    ]);
    const { generation, terms: made } = checkMarker(text, directory);
    for (const [name, wanted] of Object.entries(terms)) {
      if (made[name] === wanted) continue;
      const message = `${directory} was made with ${name} ${show(made[name])}, this process has ${wanted}`;
      throw createError("STORE_MISMATCH", message);
    }
    return { epoch: `${identity}-${generation}`, generation };
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

/** For those who only look, whatever the directory was made for. */
export async function readGeneration(files: FileSystem, directory: string): Promise<string | undefined> {
  try {
    return checkMarker(await files.read(markerPath(directory), limitBytes), directory).generation;
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

/** What a directory was made for, as it stands there; undefined where nothing was made yet. */
export async function readTerms(
  files: FileSystem,
  directory: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return checkMarker(await files.read(markerPath(directory), limitBytes), directory).terms;
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

/** Makes directory and marker unless another process is faster; either way they are there afterwards. */
export async function createMarker(files: FileSystem, directory: string, terms: Terms): Promise<void> {
  const topmost = await files.makeDirectory(directory);
  await syncAbove(files, directory, topmost);
  const marker = { v: 1, generation: files.freshId(), ...terms };
  const temporary = join(directory, temporaryName(files));
  try {
    await files.writeNew(temporary, `${JSON.stringify(marker)}\n`);
    await files.sync(temporary);
    await files.link(temporary, markerPath(directory));
  } catch (cause) {
    if (errorName(cause) !== "EEXIST") throw linkFailed(cause, directory);
  } finally {
    // Left behind it is a hundred bytes that nobody reads.
    await files.remove(temporary).catch(() => {});
  }
  await files.sync(directory);
}

/**
 * The entries of new directories are made durable before anything is put into them, by whoever made
 * them and, one level up, by everyone who makes the marker: the maker may have died in between.
 */
async function syncAbove(files: FileSystem, directory: string, topmost: string | undefined): Promise<void> {
  const last = dirname(topmost ?? directory);
  for (let above = dirname(directory); above.length >= last.length; above = dirname(above)) {
    try {
      await files.sync(above);
    } catch (cause) {
      // An operator made the directory, and need not let us read the one above.
      if (topmost !== undefined || errorName(cause) !== "EACCES") throw cause;
    }
    if (above === dirname(above)) return;
  }
}

function checkMarker(text: string, directory: string): Marker {
  const marker = parseMarker(text);
  if (marker !== undefined) return marker;
  const message = `${markerPath(directory)} cannot be read as a marker of this version; it is left as it is`;
  throw createError("STORE_MISMATCH", message);
}

function parseMarker(text: string): Marker | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { v, generation, ...terms } = value as Readonly<Record<string, unknown>>;
  return v === 1 && typeof generation === "string" && generation !== "" ? { generation, terms } : undefined;
}

/** Foreign input in a message: short, and never more than a word. */
function show(term: unknown): string {
  return typeof term === "number" || typeof term === "string" ? String(term).slice(0, 60) : "unset";
}
