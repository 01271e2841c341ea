/**
 * The chain of versions of one key, and its head: the content that stands.
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
import { encodeName } from "../base/names.js";
import { createError } from "../errors/index.js";
import { errorName } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import { isTemporary, parseVersionFile, type VersionFile, versionFile } from "./layout.js";

/** What the versions of a chain hold. */
export interface Format<B> {
  readonly limitBytes: number;
  /** Content is foreign input: never throws. Nothing can be written on top of what has no nonce. */
  decode(text: string): { readonly body: B; readonly nonce: string | undefined };
}

export interface Head<B> {
  readonly file: VersionFile;
  readonly body: B;
  readonly nonce: string | undefined;
  /** Names this write in this chain: number and nonce, or number and content where no nonce can be read. */
  readonly mark: string;
}

export interface Chain<B> {
  readonly head: Head<B> | undefined;
  /** Every version file that was listed, highest number first, whether it counts or not. */
  readonly versions: readonly VersionFile[];
  readonly temporaries: readonly string[];
}

/** Each round means that others wrote several versions, or deleted files, between a listing and a read. */
const longestChase = 100;

/** `path` is the key's directory, `generation` the one that its first version must name. */
export async function readChain<B>(
  files: FileSystem,
  path: string,
  generation: string,
  format: Format<B>,
): Promise<Chain<B>> {
  let before: string | undefined;
  for (let round = 0; round < longestChase; round += 1) {
    const names = await listNames(files, path);
    const versions = names
      .flatMap((name) => parseVersionFile(name) ?? [])
      .toSorted((a, b) => b.number - a.number);
    const head = await findHead(files, path, versions, versionFile(1, generation).name, format);
    const listed = versions.map(({ name }) => name).join();
    const proven = head !== "moved" && (head?.file.number ?? 0) > 1;
    if (head !== "moved" && (proven || listed === before)) {
      return { head, versions, temporaries: names.filter(isTemporary) };
    }
    before = listed;
  }
  throw createError("STORE_UNREACHABLE", `the versions in ${path} change faster than they can be read`);
}

/** Reads a version. */
export async function loadVersion<B>(
  files: FileSystem,
  path: string,
  file: VersionFile,
  format: Format<B>,
): Promise<Head<B>> {
  // One byte above the limit suffices to see that it is too long.
  const text = await files.read(join(path, file.name), format.limitBytes + 1);
  const { body, nonce } = format.decode(text);
  if (nonce !== undefined) return { file, body, nonce, mark: `${file.number}/${nonce}` };
  const content = createHash("sha256").update(text, "utf8").digest("hex");
  return { file, body, nonce, mark: `${file.number}//${content}` };
}

/** Whether `file` was written on top of `before`. */
export function follows(file: VersionFile, before: Pick<Head<unknown>, "file" | "nonce">): boolean {
  if (before.nonce === undefined || file.number !== before.file.number + 1) return false;
  return file.predecessor === encodeName(before.nonce);
}

/** Walks back from `head`: each version with the one that it was written on, as far as they are there. */
export async function* predecessors<B>(
  files: FileSystem,
  path: string,
  { head, versions }: Pick<Chain<B>, "head" | "versions">,
  format: Format<B>,
): AsyncGenerator<Head<B>, void> {
  // The listing goes down as the walk does: each step looks at the files of its own number alone.
  let from = 0;
  for (let at = head; at !== undefined; ) {
    yield at;
    const { number } = at.file;
    while ((versions[from]?.number ?? 0) >= number) from += 1;
    let end = from;
    while (versions[end]?.number === number - 1) end += 1;
    at = await predecessorOf(files, path, versions.slice(from, end), at, format);
  }
}

async function predecessorOf<B>(
  files: FileSystem,
  path: string,
  versions: readonly VersionFile[],
  { file }: Pick<Head<B>, "file">,
  format: Format<B>,
): Promise<Head<B> | undefined> {
  for (const candidate of versions) {
    if (candidate.number !== file.number - 1) continue;
    const before = await loadVersion(files, path, candidate, format);
    if (follows(file, before)) return before;
  }
  return undefined;
}

/** "moved": a file that was listed is there no more, so the listing is too old to be used. */
async function findHead<B>(
  files: FileSystem,
  path: string,
  versions: readonly VersionFile[],
  first: string,
  format: Format<B>,
): Promise<Head<B> | "moved" | undefined> {
  try {
    for (const file of versions) {
      const counts =
        file.name === first || (await predecessorOf(files, path, versions, { file }, format)) !== undefined;
      if (counts) return await loadVersion(files, path, file, format);
    }
    return undefined;
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return "moved";
    throw cause;
  }
}

async function listNames(files: FileSystem, path: string): Promise<readonly string[]> {
  try {
    return await files.list(path);
  } catch (cause) {
    if (errorName(cause) === "ENOENT") return [];
    throw cause;
  }
}
