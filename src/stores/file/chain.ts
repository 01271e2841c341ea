/**
 * The chain of versions of one key, and its head: the record that stands.
 *
 * A file counts if it is number 1 of this generation, or if a version with the
 * number before and the nonce in its name is there. The highest that counts is
 * the head. So a file that was linked late, on a predecessor that is forgotten,
 * replaced or deleted, changes nothing.
 *
 * A listing is no snapshot, and its reader may be frozen in the middle while the
 * files it listed are pruned. Three things make the answer one that was true at
 * some instant of the call: files are read after they were listed, pruning goes
 * upwards (who still finds a version missed none before it), and an answer that
 * rests on no predecessor (absent, or number 1) needs two equal listings.
 *
 * Nothing is remembered between calls: after a restore a name may hold another content.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { encodeName } from "../../base/names.js";
import { createError } from "../../errors/index.js";
import { decodeRecord, type LeaseRecord, recordLimitBytes } from "../../lease/record.js";
import type { Stored, Version } from "../../lease/store.js";
import { errorName } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import { isTemporary, parseVersionFile, type VersionFile, versionFile } from "./layout.js";
import type { Identity } from "./marker.js";

export interface Head {
  readonly file: VersionFile;
  readonly body: LeaseRecord | "newer" | "unreadable";
  /** Names this write in this chain: number and nonce, or number and content where no nonce can be read. */
  readonly mark: string;
}

export interface Chain {
  readonly head: Head | undefined;
  /** Every version file that was listed, highest number first, whether it counts or not. */
  readonly versions: readonly VersionFile[];
  readonly temporaries: readonly string[];
}

/** Each round means that others wrote several versions, or deleted files, between a listing and a read. */
const longestChase = 100;

/** `path` is the key's directory, `generation` the one that its first version must name. */
export async function readChain(files: FileSystem, path: string, generation: string): Promise<Chain> {
  let before: string | undefined;
  for (let round = 0; round < longestChase; round += 1) {
    const names = await listNames(files, path);
    const versions = names
      .flatMap((name) => parseVersionFile(name) ?? [])
      .toSorted((a, b) => b.number - a.number);
    const head = await findHead(files, path, versions, versionFile(1, generation).name);
    const listed = versions.map(({ name }) => name).join();
    const proven = head !== "moved" && (head?.file.number ?? 0) > 1;
    if (head !== "moved" && (proven || listed === before)) {
      return { head, versions, temporaries: names.filter(isTemporary) };
    }
    before = listed;
  }
  throw createError("STORE_UNREACHABLE", `the versions in ${path} change faster than they can be read`);
}

/** A version is unique for ever through the nonce, and bound to the epoch that it was read in. */
export function versionOf(identity: Identity, head: Head): Version {
  return `${identity.epoch}/${head.mark}`;
}

export function toStored(identity: Identity | undefined, head: Head | undefined): Stored | undefined {
  if (identity === undefined || head === undefined) return undefined;
  return { version: versionOf(identity, head), epoch: identity.epoch, body: head.body };
}

/** Reads a version; bodies are foreign input and are validated by the codec. */
export async function loadVersion(files: FileSystem, path: string, file: VersionFile): Promise<Head> {
  // One byte above the limit suffices to see that it is no record.
  const text = await files.read(join(path, file.name), recordLimitBytes + 1);
  const body = decodeRecord(text);
  if (typeof body !== "string") return { file, body, mark: `${file.number}/${body.nonce}` };
  const content = createHash("sha256").update(text, "utf8").digest("hex");
  return { file, body, mark: `${file.number}//${content}` };
}

/** Whether `file` was written on top of `before`. */
export function follows(file: VersionFile, before: Head): boolean {
  if (typeof before.body === "string" || file.number !== before.file.number + 1) return false;
  return file.predecessor === encodeName(before.body.nonce);
}

/** "moved": a file that was listed is there no more, so the listing is too old to be used. */
async function findHead(
  files: FileSystem,
  path: string,
  versions: readonly VersionFile[],
  first: string,
): Promise<Head | "moved" | undefined> {
  try {
    for (const file of versions) {
      if (file.name === first || (await hasPredecessor(files, path, versions, file))) {
        return await loadVersion(files, path, file);
      }
    }
    return undefined;
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return "moved";
    throw cause;
  }
}

async function hasPredecessor(
  files: FileSystem,
  path: string,
  versions: readonly VersionFile[],
  file: VersionFile,
): Promise<boolean> {
  for (const candidate of versions) {
    if (candidate.number !== file.number - 1) continue;
    if (follows(file, await loadVersion(files, path, candidate))) return true;
  }
  return false;
}

async function listNames(files: FileSystem, path: string): Promise<readonly string[]> {
  try {
    return await files.list(path);
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return [];
    throw cause;
  }
}
