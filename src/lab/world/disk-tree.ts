/**
 * Files and directories of one disk, and what POSIX does with them at once. Knows no time: `disk.ts` has that.
 *
 * Entries of a directory are durable after a sync of that directory, each change of them for itself; a rename is one
 * change, so the old file or the new one has the name. Nothing else is promised: the sync of a file says nothing of its
 * name. Errors carry the system's name as `code`.
 */

import type { Dice } from "../dice.js";
import { DiskBytes } from "./disk-bytes.js";

export interface DiskFile {
  readonly id: number;
  readonly bytes: DiskBytes;
  modifiedMs: number;
}

interface DiskDirectory {
  readonly id: number;
  readonly entries: Map<string, DiskNode>;
  durable: Map<string, DiskNode>;
  /** Since the last sync, in order. */
  changes: Change[];
  modifiedMs: number;
}

export type DiskNode = DiskFile | DiskDirectory;

/** By name: what it stands for now, or nothing. One step, which is on the disk or is not. */
type Change = ReadonlyMap<string, DiskNode | undefined>;

/** An error as the system gives it. */
export function diskError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

export class DiskTree {
  #ids = 0;
  readonly #root: DiskDirectory = this.#newDirectory(0);

  node(path: string): DiskNode {
    let node: DiskNode = this.#root;
    for (const part of partsOf(path)) {
      if (!("entries" in node)) throw diskError("ENOTDIR", path);
      const next = node.entries.get(part);
      if (next === undefined) throw diskError("ENOENT", path);
      node = next;
    }
    return node;
  }

  file(path: string): DiskFile {
    const node = this.node(path);
    if ("entries" in node) throw diskError("EISDIR", path);
    return node;
  }

  list(path: string): readonly string[] {
    const node = this.node(path);
    if (!("entries" in node)) throw diskError("ENOTDIR", path);
    return [...node.entries.keys()];
  }

  create(path: string, nowMs: number): DiskFile {
    this.#ids += 1;
    const file = { id: this.#ids, bytes: new DiskBytes(), modifiedMs: nowMs };
    this.#add(path, file);
    return file;
  }

  link(existing: string, path: string): void {
    this.#add(path, this.file(existing));
  }

  /** Within a directory. Replaces what has the name. */
  rename(from: string, to: string): void {
    const [source, target] = [this.#placeOf(from), this.#placeOf(to)];
    if (source.directory !== target.directory) throw diskError("EXDEV", to);
    const moved = this.file(from);
    if (source.name === target.name || target.directory.entries.get(target.name) === moved) return;
    change(
      source.directory,
      new Map([
        [source.name, undefined],
        [target.name, moved],
      ]),
    );
  }

  remove(path: string): void {
    this.file(path);
    const { directory, name } = this.#placeOf(path);
    change(directory, new Map([[name, undefined]]));
  }

  /** Those above it as well; answers the topmost one that was made. */
  makeDirectory(path: string, nowMs: number): string | undefined {
    let topmost: string | undefined;
    const parts = partsOf(path);
    for (const place of parts.keys()) {
      const above = `/${parts.slice(0, place + 1).join("/")}`;
      const { directory, name } = this.#placeOf(above);
      const there = directory.entries.get(name);
      if (there !== undefined && !("entries" in there)) throw diskError("ENOTDIR", above);
      if (there !== undefined) continue;
      change(directory, new Map([[name, this.#newDirectory(nowMs)]]));
      topmost ??= above;
    }
    return topmost;
  }

  sync(path: string): void {
    const node = this.node(path);
    if ("entries" in node) {
      node.durable = new Map(node.entries);
      node.changes = [];
    } else node.bytes.sync();
  }

  /** The dice decide what is left of all that was not synced. */
  losePower(dice: Dice): void {
    settle(this.#root, dice, new Set());
  }

  #newDirectory(nowMs: number): DiskDirectory {
    this.#ids += 1;
    return { id: this.#ids, entries: new Map(), durable: new Map(), changes: [], modifiedMs: nowMs };
  }

  #add(path: string, node: DiskNode): void {
    const { directory, name } = this.#placeOf(path);
    if (directory.entries.has(name)) throw diskError("EEXIST", path);
    change(directory, new Map([[name, node]]));
  }

  #placeOf(path: string): { readonly directory: DiskDirectory; readonly name: string } {
    const parts = partsOf(path);
    const name = parts.pop();
    if (name === undefined) throw diskError("EEXIST", path);
    const directory = this.node(`/${parts.join("/")}`);
    if (!("entries" in directory)) throw diskError("ENOTDIR", path);
    return { directory, name };
  }
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function change(directory: DiskDirectory, made: Change): void {
  apply(directory.entries, made);
  directory.changes.push(made);
}

function apply(entries: Map<string, DiskNode>, made: Change): void {
  for (const [name, node] of made) {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
}

function settle(node: DiskNode, dice: Dice, done: Set<DiskNode>): void {
  if (done.has(node)) return;
  done.add(node);
  if (!("entries" in node)) return node.bytes.losePower(dice);
  const lot = dice.fraction();
  const left = new Map(node.durable);
  for (const made of node.changes) if (lot < 0.3 || (lot < 0.7 && dice.happens(0.5))) apply(left, made);
  node.changes = [];
  node.durable = new Map(left);
  node.entries.clear();
  for (const [name, entry] of left) node.entries.set(name, entry);
  for (const entry of left.values()) settle(entry, dice, done);
}
