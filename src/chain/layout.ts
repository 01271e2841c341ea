/**
 * Names on disk: keys become directories, versions become files.
 *
 * Everything is lower case within [a-z0-9_-], whatever came in, so nothing leaves
 * the directory and a file system that ignores case tells the same names apart.
 *
 *   <directory>/marker.json
 *   <directory>/<namespace>_<name>/<number>-<nonce of the version before>
 *   <directory>/<namespace>_<name>/temp-<id>
 */

import { join } from "node:path";
import { encodeName } from "../base/names.js";
import type { FileSystem } from "./file-system.js";

/** A version's place in the chain, as its file name tells it. */
export interface VersionFile {
  readonly name: string;
  readonly number: number;
  /** The encoded nonce of the version before; for number 1 the generation of the marker. */
  readonly predecessor: string;
}

const usualKey = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/;
const versionPattern = /^([0-9]{16})-([a-z0-9-]+)$/;
const temporaryPattern = /^temp-[a-z0-9-]+$/;

export function markerPath(directory: string): string {
  return join(directory, "marker.json");
}

/** Injective. A key of another form than `namespace/name` starts with the underscore that no such key starts with. */
export function keyPath(directory: string, key: string): string {
  return join(directory, usualKey.test(key) ? key.replace("/", "_") : `_${encodeName(key)}`);
}

/** `predecessor` is a nonce as it stands in a record, or a generation. */
export function versionFile(number: number, predecessor: string): VersionFile {
  const encoded = encodeName(predecessor);
  return { name: `${String(number).padStart(16, "0")}-${encoded}`, number, predecessor: encoded };
}

export function parseVersionFile(name: string): VersionFile | undefined {
  const [, digits, predecessor] = versionPattern.exec(name) ?? [];
  if (digits === undefined || predecessor === undefined) return undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) && number >= 1 ? { name, number, predecessor } : undefined;
}

/** A name that nobody has used and nobody else will. */
export function temporaryName(files: Pick<FileSystem, "freshId">): string {
  return `temp-${files.freshId()}`;
}

export function isTemporary(name: string): boolean {
  return temporaryPattern.test(name);
}
