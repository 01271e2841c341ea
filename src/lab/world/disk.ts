/**
 * The disk of one machine on virtual time: for code that writes a log, and for what is made of numbered versions.
 *
 * Promise: what was synced is there after a power loss, unless a bit flips at rest. Everything else that a file system
 * may do it does, from the seed: it stalls, it loses and tears what was not synced, entries of directories for
 * themselves, a sync fails, there is no room. A sync of a directory that fails makes the file system read-only until
 * the machine starts again, as ext4 mounted with `errors=remount-ro` and Btrfs do. Non-promise: no two disks, no
 * permissions, and no order of what was not synced.
 */

import type { VirtualClock } from "../../base/virtual-clock.js";
import type { Dice } from "../dice.js";
import { diskError, type DiskNode, DiskTree } from "./disk-tree.js";

/**
 * The file system of a node. Paths are absolute; all steps may run concurrently, and each takes its time.
 *
 * A step rejects with an Error that carries the system's name as `code`. One that is never answered may have been done:
 * the machine lost power, or its process is dead. Bytes that are handed in are copied at once, those that are handed
 * out belong to the caller. What one step did, the next one sees, durable or not.
 */
export interface LabDisk {
  facts(path: string): Promise<{ readonly id: number; readonly bytes: number; readonly modifiedMs: number }>;
  list(path: string): Promise<readonly string[]>;
  /** `length` bytes from `from` on, or fewer at the end of the file. */
  read(path: string, from: number, length: number): Promise<Uint8Array>;
  /** Makes an empty file. Rejects with EEXIST. */
  create(path: string): Promise<void>;
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Over what is there. On a full disk a first part of it may be written before ENOSPC. */
  write(path: string, at: number, bytes: Uint8Array): Promise<void>;
  truncate(path: string, length: number): Promise<void>;
  /** Of a file: its bytes and its length. Of a directory: its entries. After an error nothing can be said of either. */
  sync(path: string): Promise<void>;
  /** Within a directory, replacing what has the name, as one step. */
  rename(from: string, to: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** And those above it; answers the topmost one that was made. */
  makeDirectory(path: string): Promise<string | undefined>;
  /** Sets the time of the last change, and tells those who watch. */
  touch(path: string, modifiedMs: number): Promise<void>;
  /** Throws ENOENT. Tells until it is stopped, or power is lost. */
  watch(path: string, report: (what: "changed" | "gone") => void): () => void;
}

/** Whose process uses it: what a step brings is read once the process can, and never by a dead one. */
export interface DiskUser {
  whenAwake(read: () => void): void;
}

export interface DiskScene {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  /** The longest that a step takes without a stall, ms; the shortest is a twentieth of it. */
  readonly latencyMs: Readonly<Record<Kind, number>>;
}

type Kind = "look" | "change" | "sync";

interface Watcher {
  readonly node: DiskNode;
  readonly report: (what: "changed" | "gone") => void;
}

export class Disk {
  readonly #scene: DiskScene;
  readonly #tree = new DiskTree();
  readonly #watchers = new Set<Watcher>();
  /** Raised at each power loss: whoever used it before is gone. */
  #boot = 1;
  #waiting: (() => void)[] | undefined;
  #failing: "file" | "directory" | undefined;
  #readOnly = false;
  /** Nothing new has room. */
  full = false;

  constructor(scene: DiskScene) {
    this.#scene = scene;
  }

  get readOnly(): boolean {
    return this.#readOnly;
  }

  open(user: DiskUser): LabDisk {
    const boot = this.#boot;
    return this.#port((kind, act) => this.#step(boot, user, kind, act));
  }

  /** For who looks from outside: nothing takes time. */
  look(): LabDisk {
    return this.#port(async (_, act) => act());
  }

  /** Steps wait until it goes on. */
  stall(): void {
    this.#waiting ??= [];
  }

  resume(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const start of waiting) start();
  }

  /** The next sync of a file, or of a directory, fails with EIO. */
  failNextSync(of: "file" | "directory"): void {
    this.#failing = of;
  }

  /** Answers which byte; undefined: the file is empty. */
  flipBit(path: string): number | undefined {
    return this.#tree.file(path).bytes.flipBit(this.#scene.dice);
  }

  /** No fault is left but what has happened. */
  heal(): void {
    this.#failing = undefined;
    this.full = false;
    this.resume();
  }

  /** What is under way never ends. Whoever opens it from now on finds what is left. */
  losePower(): void {
    this.#boot += 1;
    this.#waiting = undefined;
    this.#failing = undefined;
    this.#readOnly = false;
    this.#watchers.clear();
    this.#tree.losePower(this.#scene.dice);
  }

  #port(step: <T>(kind: Kind, act: () => T) => Promise<T>): LabDisk {
    const tree = this.#tree;
    const now = () => this.#scene.clock.wallMs();
    return {
      facts: async (path) =>
        step("look", () => {
          const node = tree.node(path);
          const bytes = "bytes" in node ? node.bytes.size : 0;
          return { id: node.id, bytes, modifiedMs: node.modifiedMs };
        }),
      list: async (path) => step("look", () => tree.list(path)),
      read: async (path, from, length) => step("look", () => tree.file(path).bytes.read(from, length)),
      create: async (path) =>
        step("change", () => {
          this.#room(path);
          tree.create(path, now());
        }),
      append: async (path, bytes) => {
        const own = bytes.slice();
        return step("change", () => this.#put(path, undefined, own));
      },
      write: async (path, at, bytes) => {
        const own = bytes.slice();
        return step("change", () => this.#put(path, at, own));
      },
      truncate: async (path, length) =>
        step("change", () => {
          this.#writable(path);
          tree.file(path).bytes.truncate(length);
        }),
      sync: async (path) => step("sync", () => this.#sync(path)),
      rename: async (from, to) =>
        step("change", () => {
          this.#writable(to);
          tree.rename(from, to);
        }),
      link: async (existing, path) =>
        step("change", () => {
          this.#room(path);
          tree.link(existing, path);
        }),
      remove: async (path) =>
        step("change", () => {
          this.#writable(path);
          const node = tree.file(path);
          tree.remove(path);
          this.#tell(node, "gone");
        }),
      makeDirectory: async (path) =>
        step("change", () => {
          this.#room(path);
          return tree.makeDirectory(path, now());
        }),
      touch: async (path, modifiedMs) =>
        step("change", () => {
          this.#writable(path);
          const node = tree.node(path);
          node.modifiedMs = modifiedMs;
          this.#tell(node, "changed");
        }),
      watch: (path, report) => {
        const watcher = { node: tree.node(path), report };
        this.#watchers.add(watcher);
        return () => void this.#watchers.delete(watcher);
      },
    };
  }

  #step<T>(boot: number, user: DiskUser, kind: Kind, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = () => {
        if (boot !== this.#boot) return;
        const settle = settling(act, resolve, reject);
        user.whenAwake(() => {
          if (boot === this.#boot) settle();
        });
      };
      const start = () => void this.#scene.clock.setTimer(this.#latencyMs(kind), done);
      if (this.#waiting === undefined) start();
      else if (boot === this.#boot) this.#waiting.push(start);
    });
  }

  #latencyMs(kind: Kind): number {
    const { dice, latencyMs } = this.#scene;
    return dice.between(latencyMs[kind] / 20, latencyMs[kind]);
  }

  #put(path: string, at: number | undefined, bytes: Uint8Array): void {
    this.#writable(path);
    const file = this.#tree.file(path);
    const place = at ?? file.bytes.size;
    const fits =
      this.full && place + bytes.length > file.bytes.size
        ? this.#scene.dice.below(bytes.length)
        : bytes.length;
    file.bytes.write(place, bytes.subarray(0, fits));
    file.modifiedMs = this.#scene.clock.wallMs();
    if (fits < bytes.length) throw diskError("ENOSPC", path);
  }

  #sync(path: string): void {
    const node = this.#tree.node(path);
    const kind = "entries" in node ? "directory" : "file";
    if (this.#readOnly) throw diskError("EIO", path);
    if (this.#failing !== kind) return this.#tree.sync(path);
    this.#failing = undefined;
    if ("bytes" in node) node.bytes.forgetDirty();
    else this.#readOnly = true;
    throw diskError("EIO", path);
  }

  #writable(path: string): void {
    if (this.#readOnly) throw diskError("EROFS", path);
  }

  #room(path: string): void {
    this.#writable(path);
    if (this.full) throw diskError("ENOSPC", path);
  }

  #tell(node: DiskNode, what: "changed" | "gone"): void {
    for (const watcher of this.#watchers) if (watcher.node === node) watcher.report(what);
  }
}

/** Does it now; what came of it is told later. */
function settling<T>(
  act: () => T,
  resolve: (value: T) => void,
  reject: (cause: unknown) => void,
): () => void {
  try {
    const value = act();
    return () => resolve(value);
  } catch (cause) {
    return () => reject(cause);
  }
}
