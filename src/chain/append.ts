/**
 * One compare-and-set: a new version on top of the head.
 *
 * Promise: `written` only after the version is durable and was the head at an
 * instant of the call; `conflict` only if it never was. Whatever step the process
 * dies or freezes in, others find the old head or the new one and can go on:
 * nothing is locked, and a version is complete and durable before it gets its name.
 *
 * The order carries the promise, and the tests check it: new file, fsync, link,
 * fsync of the directory, a fresh listing, answer. The version after `head` has
 * one possible name, so link(2) lets one writer win. A writer that comes so late
 * that this name was pruned makes a link that does not count: the listing after
 * the link shows it. Must not look at any clock, nor stop between link and answer.
 */

import { join } from "node:path";
import { createError } from "../errors/index.js";
import type { Opening } from "./opening.js";
import { type Chain, type Format, follows, type Head, loadVersion, readChain } from "./chain.js";
import { afterLink, errorName, linkFailed } from "./failures.js";
import type { FileSystem } from "./file-system.js";
import { temporaryName, type VersionFile, versionFile } from "./layout.js";
import type { Identity } from "./marker.js";

export interface Site<B> {
  readonly files: FileSystem;
  readonly directory: string;
  /** The key's own directory. */
  readonly path: string;
  readonly opening: Opening;
  readonly format: Format<B>;
}

export interface NewVersion<B> {
  readonly body: B;
  /** Fresh for every write, and in `content`. */
  readonly nonce: string;
  /** The encoded body. */
  readonly content: string;
  /** The head that was read and is to be replaced; undefined creates. */
  readonly head: Head<B> | undefined;
  readonly identity: Identity;
  /** Throws when the answer is no longer wanted. Asked right before the link, never after. */
  readonly stillWanted: () => void;
  /** Called when the version has its name: whoever reads sees it from then on, durable or not. Never rejects. */
  readonly announce: (file: VersionFile) => Promise<void>;
}

export type Appended<B> =
  | { readonly kind: "written"; readonly own: Head<B>; readonly chain: Chain<B> }
  | {
      readonly kind: "conflict";
      readonly head: Head<B> | undefined;
      readonly identity: Identity | undefined;
    };

export async function append<B>(site: Site<B>, version: NewVersion<B>): Promise<Appended<B>> {
  const { files, directory, path, format } = site;
  const { head, identity, body, nonce } = version;
  const predecessor = head === undefined ? identity.generation : nonceOf(head);
  const file = versionFile((head?.file.number ?? 0) + 1, predecessor);
  // Whoever sees a first version may rely on the entries of its directory and of the marker.
  if (head === undefined) {
    await files.makeDirectory(path);
    await files.sync(directory);
  }
  if (!(await linkNew(site, version, file))) return beaten(site, version);
  try {
    const [now, chain] = await Promise.all([
      site.opening.look(),
      readChain(files, path, identity.generation, format),
    ]);
    if (now?.epoch !== identity.epoch) throw new Error("the directory was replaced");
    const own: Head<B> = { file, body, nonce, mark: `${file.number}/${nonce}` };
    if (counted(own, chain)) return { kind: "written", own, chain };
    await removeLate(site, own, chain);
    return { kind: "conflict", head: chain.head, identity };
  } catch (cause) {
    throw afterLink(cause, directory);
  }
}

/** False when the name is taken, or when our file or the directory was removed before the link. */
async function linkNew<B>(site: Site<B>, version: NewVersion<B>, file: VersionFile): Promise<boolean> {
  const { files, directory, path } = site;
  const temporary = join(path, temporaryName(files));
  let linked = false;
  try {
    await files.writeNew(temporary, version.content);
    await files.sync(temporary);
    version.stillWanted();
    try {
      await files.link(temporary, join(path, file.name));
    } catch (cause) {
      if (errorName(cause) === "EEXIST" || errorName(cause) === "ENOENT") return false;
      throw linkFailed(cause, directory);
    }
    linked = true;
    // Followers look while the directory is made durable; what they write on top makes it so as well.
    await Promise.all([files.sync(path), version.announce(file)]);
    return true;
  } catch (cause) {
    throw linked ? afterLink(cause, directory) : cause;
  } finally {
    // Left behind it is pruned later; it has no name that counts.
    await files.remove(temporary).catch(() => {});
  }
}

/** It is the head, or somebody saw it as the head and wrote on top of it before we looked. */
function counted<B>(own: Head<B>, chain: Chain<B>): boolean {
  if (chain.head?.mark === own.mark && chain.head.file.name === own.file.name) return true;
  return chain.versions.some((file) => follows(file, own));
}

async function beaten<B>(site: Site<B>, version: NewVersion<B>): Promise<Appended<B>> {
  const identity = await site.opening.look();
  const head = identity && (await readChain(site.files, site.path, identity.generation, site.format)).head;
  // The name was taken although nobody moved on: files were put or removed by hand.
  if (identity?.epoch === version.identity.epoch && head?.mark === version.head?.mark) {
    throw createError("STORE_UNREACHABLE", `${site.path} was changed by hand during a write`);
  }
  return { kind: "conflict", head, identity };
}

/**
 * Our link came too late and counts for nobody: away with it, lest a restored predecessor make it count.
 * Versions are pruned upwards, so if it had counted, whatever followed it would be there still. But if it
 * is gone, or is the first one, which is never pruned, then nothing definite can be said.
 */
async function removeLate<B>(site: Site<B>, own: Head<B>, chain: Chain<B>): Promise<void> {
  const { files, path, format } = site;
  const listed = own.file.number > 1 && chain.versions.some(({ name }) => name === own.file.name);
  const found = listed ? await loadVersion(files, path, own.file, format) : undefined;
  if (found?.mark !== own.mark) throw new Error("others went on for longer than versions are kept");
  await files.remove(join(path, own.file.name)).catch(() => {});
}

function nonceOf(head: Head<unknown>): string {
  if (head.nonce !== undefined) return head.nonce;
  // The caller refuses these; here they would make a version that follows nothing.
  throw createError("RECORD_UNREADABLE", `${head.file.name} cannot be read and is never written over`);
}
