/**
 * The register under a journal: each version holds what it adds, and the chain behind it is the journal.
 *
 * Reads what came since it last looked, so an append costs the same however long the
 * journal is, but for the listing of its directory. A replay walks back as far as the
 * newest version says. Whoever finds a part of it missing looks again: a checkpoint may
 * have removed it meanwhile; if the newest is still the same, it is damage.
 */

import { follows, type Head, predecessors, readChain } from "../chain/chain.js";
import { errorName } from "../chain/failures.js";
import type { FileSystem } from "../chain/file-system.js";
import { keyPath } from "../chain/layout.js";
import { createError, TenureError } from "../errors/index.js";
import type { Cell, Fencing, Replaced } from "../fence/cell.js";
import { type Body, envelopeFormat, FileCell, type FileSnapshot } from "../fence/file/cell.js";
import { backOf, emptyLog, followed, type Log, type Placed, rememberedAt } from "./log.js";
import { type Addition, encodeVersion, readVersion } from "./version.js";

export interface JournalCellOptions {
  readonly root: string;
  readonly resource: string;
  readonly rememberOperations: number;
}

export interface JournalSnapshot extends FileSnapshot {
  readonly log: Log;
}

/** An entry, or a checkpoint that does not yet say what is still recognised. */
export type Change =
  | Extract<Addition, { kind: "entry" }>
  | Omit<Extract<Addition, { kind: "checkpoint" }>, "operations">;

/** What is added is measured before it comes here; this only bounds what is read. */
const maxBytes = 2 ** 28;
/** The head's predecessor proves the head, and slow readers look a little further back. */
const leastKept = 4;
/** Each round means that a checkpoint was made while the journal was read. */
const longestChase = 100;

export class JournalCell implements Cell<JournalSnapshot, Change> {
  readonly #options: JournalCellOptions;
  readonly #files: FileSystem;
  readonly #path: string;
  readonly #inner: FileCell;
  readonly #format = envelopeFormat(maxBytes);
  #log: Log = emptyLog;

  constructor(options: JournalCellOptions, files: FileSystem) {
    const { root, resource } = options;
    this.#options = options;
    this.#files = files;
    this.#path = keyPath(root, resource);
    const carry = (_: string | undefined, change: string | undefined) => change;
    const keep = (_: number, value: string | undefined) =>
      Math.max(leastKept, (parsed(value)?.back ?? Infinity) + 1);
    this.#inner = new FileCell({ root, resource, terms: { holds: "journal" }, maxBytes, carry, keep }, files);
  }

  async read(): Promise<JournalSnapshot> {
    return this.chase(
      async () => this.#inner.read(),
      async (snapshot) => {
        const log = await this.#follow(snapshot);
        if (log === undefined) return undefined;
        this.#log = log;
        return { ...snapshot, fencing: { ...snapshot.fencing, operations: log.operations }, log };
      },
    );
  }

  async replace(
    before: JournalSnapshot,
    fencing: Fencing,
    change: Change | undefined,
    stillWanted: () => void,
  ): Promise<Replaced> {
    const { log } = before;
    const addition = change?.kind === "checkpoint" ? this.#checkpoint(log, change) : change;
    const index = log.index + (change?.kind === "entry" ? 1 : 0);
    const value = encodeVersion(backOf(log, addition), index, addition);
    return this.#inner.replace(before, { ...fencing, operations: [] }, value, stillWanted);
  }

  async confirm(read: JournalSnapshot): Promise<void> {
    await this.#inner.confirm(read);
  }

  /**
   * Every version that a replay of `snapshot` needs, or those of them that say more than the place `after`, oldest first;
   * undefined when one is not there.
   */
  async versions(snapshot: FileSnapshot, after = -1): Promise<readonly Placed[] | undefined> {
    return (await this.#walk(snapshot, ({ version }) => version.index <= after))?.placed;
  }

  /** Reads until `use` has an answer. Throws JOURNAL_UNREADABLE when it had none, and nothing had changed. */
  async chase<S extends FileSnapshot, T>(
    read: () => Promise<S>,
    use: (snapshot: S) => Promise<T | undefined>,
  ): Promise<T> {
    let before: string | undefined;
    for (let round = 0; round < longestChase; round += 1) {
      const snapshot = await read();
      const answer = await use(snapshot);
      if (answer !== undefined) return answer;
      const mark = snapshot.head?.mark;
      if (mark === before) throw this.unreadable("a part of it is missing");
      before = mark;
    }
    throw createError("GUARD_FAILED", `${this.#name()} changes faster than it can be read`);
  }

  unreadable(why: string): TenureError {
    return createError("JOURNAL_UNREADABLE", `${this.#name()}: ${why}; it is left as it is`);
  }

  async #follow(snapshot: FileSnapshot): Promise<Log | undefined> {
    const known = this.#log;
    const { head } = snapshot;
    if (head === undefined) return emptyLog;
    if (head.mark === known.head?.mark) return known;
    const newest = this.#place(head);
    if (known.head !== undefined && follows(head.file, known.head)) return followed(known, [newest]);
    const walked = await this.#walk(snapshot, ({ mark }) => mark === known.head?.mark);
    return walked && followed(walked.met ? known : emptyLog, walked.placed);
  }

  /** Back from the newest version to the one that `isEnd`, exclusive, or as far as a replay needs. */
  async #walk(
    { head, identity }: FileSnapshot,
    isEnd: (placed: Placed) => boolean,
  ): Promise<Walked | undefined> {
    if (head === undefined || identity === undefined) return { placed: [], met: false };
    const { back } = this.#place(head).version;
    const placed: Placed[] = [];
    try {
      const { versions } = await readChain(this.#files, this.#path, identity.generation, this.#format);
      const walk = predecessors(this.#files, this.#path, { head, versions }, this.#format);
      for await (const version of walk) {
        const next = this.#place(version);
        const met = isEnd(next);
        if (!met) placed.push(next);
        if (met || placed.length > back) return { placed: placed.toReversed(), met };
      }
      return undefined;
    } catch (cause) {
      if (errorName(cause) === "ENOENT") return undefined;
      if (TenureError.is(cause, "JOURNAL_UNREADABLE")) throw cause;
      const why = cause instanceof Error ? cause.message : "no error was given";
      throw createError("GUARD_FAILED", `${this.#name()} failed: ${why}`, { cause });
    }
  }

  #place({ file, body, nonce, mark }: Head<Body>): Placed {
    const version = typeof body === "string" ? undefined : parsed(body.value);
    if (version !== undefined && nonce !== undefined && version.back < file.number) {
      return { file, mark, nonce, version };
    }
    throw this.unreadable(`version ${file.number} is none of format 1`);
  }

  #checkpoint(log: Log, { kind, upTo, json }: Extract<Change, { kind: "checkpoint" }>): Addition {
    return { kind, upTo, json, operations: rememberedAt(log, upTo, this.#options.rememberOperations) };
  }

  #name(): string {
    return `journal "${this.#options.resource}" in ${this.#options.root}`;
  }
}

interface Walked {
  readonly placed: readonly Placed[];
  readonly met: boolean;
}

function parsed(value: string | undefined): ReturnType<typeof readVersion> {
  return value === undefined ? undefined : readVersion(JSON.parse(value));
}
