/**
 * A disk that loses power.
 *
 * File contents and directory entries are durable only after `sync` of that very
 * file or directory. At a power loss everything else is decided by a coin: a
 * file's content may be whole or cut short, each entry made or removed since the
 * last sync may be there or not. That is all that POSIX promises.
 */

import { freshId } from "../../src/base/random.js";
import type { FileSystem } from "../../src/chain/file-system.js";

interface Node {
  readonly id: number;
  content: string;
  durableContent: string | undefined;
  /** Present in directories. */
  entries?: Map<string, Node>;
  durableEntries: Map<string, Node>;
}

export interface SimulatedDisk {
  readonly files: FileSystem;
  /** What is left after a power loss; `coin` decides what was not synced. */
  losePower(coin: () => boolean): void;
}

function fail(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Nodes and paths; what POSIX does at once. */
function createTree() {
  let count = 0;
  const makeNode = (directory: boolean, content = ""): Node => ({
    id: (count += 1),
    content,
    durableContent: undefined,
    durableEntries: new Map(),
    ...(directory ? { entries: new Map<string, Node>() } : {}),
  });
  const root = makeNode(true);

  function find(path: string): Node {
    let node = root;
    for (const part of path.split("/").filter(Boolean)) {
      const next = node.entries?.get(part);
      if (next === undefined) throw fail("ENOENT");
      node = next;
    }
    return node;
  }
  function place(path: string): { entries: Map<string, Node>; name: string } {
    const slash = path.lastIndexOf("/");
    const { entries } = find(path.slice(0, slash));
    if (entries === undefined) throw fail("ENOTDIR");
    return { entries, name: path.slice(slash + 1) };
  }
  function add(path: string, node: Node): void {
    const { entries, name } = place(path);
    if (entries.has(name)) throw fail("EEXIST");
    entries.set(name, node);
  }
  function makeDirectory(path: string): string | undefined {
    let topmost: string | undefined;
    const parts = path.split("/").filter(Boolean);
    parts.forEach((_, index) => {
      const above = `/${parts.slice(0, index + 1).join("/")}`;
      const { entries, name } = place(above);
      if (entries.has(name)) return;
      entries.set(name, makeNode(true));
      topmost ??= above;
    });
    return topmost;
  }
  return { root, makeNode, find, place, add, makeDirectory };
}

function settle(node: Node, coin: () => boolean): void {
  const whole = node.durableContent ?? (coin() ? node.content : node.content.slice(0, 7));
  node.content = whole;
  node.durableContent = whole;
  const { entries } = node;
  if (entries === undefined) return;
  for (const name of new Set([...entries.keys(), ...node.durableEntries.keys()])) {
    const [now, durable] = [entries.get(name), node.durableEntries.get(name)];
    const left = now === durable || coin() ? now : durable;
    if (left === undefined) entries.delete(name);
    else entries.set(name, left);
  }
  node.durableEntries = new Map(entries);
  for (const child of entries.values()) settle(child, coin);
}

export function createSimulatedDisk(): SimulatedDisk {
  const { root, makeNode, find, place, add, makeDirectory } = createTree();
  const files: FileSystem = {
    mountType: async () => 0xef53,
    stat: async (path) => ({ identity: String(find(path).id), modifiedMs: 0 }),
    async list(path) {
      return [...(find(path).entries?.keys() ?? [])];
    },
    read: async (path, limit) => find(path).content.slice(0, limit),
    writeNew: async (path, content) => add(path, makeNode(false, content)),
    async sync(path) {
      const node = find(path);
      node.durableContent = node.content;
      node.durableEntries = new Map(node.entries);
    },
    link: async (existing, name) => add(name, find(existing)),
    async remove(path) {
      const { entries, name } = place(path);
      if (!entries.delete(name)) throw fail("ENOENT");
    },
    makeDirectory: async (path) => makeDirectory(path),
    touch: async (path) => void find(path),
    watch: () => {
      throw fail("ENOSPC");
    },
    freshId,
  };
  return { files, losePower: (coin) => settle(root, coin) };
}
