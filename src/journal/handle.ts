/** One term's way into a journal: appends, checkpoints, replays, on top of the register that keeps the versions. */

import { optionError } from "../base/options.js";
import { freshId } from "../base/random.js";
import { type CellOptions, readCell, writeCell } from "../fence/cell.js";
import type { Writer, WriteOptions } from "../fence/writer.js";
import type { Change, JournalCell, JournalSnapshot } from "./cell.js";
import type {
  Appended,
  CheckpointOptions,
  EntriesOptions,
  JournalEntry,
  JournalHandle,
  Replay,
} from "./journal.js";
import { sized } from "./limits.js";
import type { Placed } from "./log.js";
import { entriesOf, type Page, type ReadPage } from "./reading.js";

export interface HandleOptions extends CellOptions {
  readonly maxEntryBytes: number;
  readonly maxStateBytes: number;
}

/** No result is kept with the row: the log knows the place of every operation. */
interface Put {
  readonly change: Change;
  readonly result: undefined;
}

export function createHandle<E, S>(
  cell: JournalCell,
  options: HandleOptions,
  writer: Writer,
): JournalHandle<E, S> {
  return new Handle(cell, options, writer);
}

class Handle<E, S> implements JournalHandle<E, S> {
  readonly #cell: JournalCell;
  readonly #options: HandleOptions;
  readonly #writer: Writer;

  constructor(cell: JournalCell, options: HandleOptions, writer: Writer) {
    this.#cell = cell;
    this.#options = options;
    this.#writer = writer;
  }

  get resource(): string {
    return this.#options.resource;
  }

  get fence(): Writer["fence"] {
    return this.#writer.fence;
  }

  async append(entry: E, options: WriteOptions = {}): Promise<Appended> {
    const json = sized("entry", entry, this.#options.maxEntryBytes);
    const opId = options.opId ?? options.attempt?.opId ?? freshId();
    const { token, owner } = this.fence;
    let appended: Appended = { index: 0, duplicate: false };
    // What is answered as applied before is confirmed first, and only then.
    const cell = answering(this.#cell, ({ log }) => {
      const index = log.operations.find((operation) => operation.opId === opId)?.index;
      if (index === undefined) throw optionError("attempt", opId, "that of an append");
      appended = { index, duplicate: true };
    });
    await writeCell(
      cell,
      this.#options,
      this.#writer,
      { ...options, opId },
      async ({ log }): Promise<Put> => {
        appended = { index: log.index + 1, duplicate: false };
        return { change: { kind: "entry", token, owner, opId, json }, result: undefined };
      },
    );
    return appended;
  }

  async checkpoint(state: S, upTo: number, options: CheckpointOptions = {}): Promise<void> {
    const json = sized("state", state, this.#options.maxStateBytes);
    const cell = answering(this.#cell, ({ log }) => {
      const isEntry = log.operations.some(({ opId }) => opId === options.attempt?.opId);
      if (isEntry) throw optionError("attempt", options.attempt?.opId, "that of a checkpoint");
    });
    await writeCell(cell, this.#options, this.#writer, options, async ({ log }): Promise<Put> => {
      if (!Number.isInteger(upTo) || upTo < log.upTo || upTo > log.index) {
        throw optionError("upTo", upTo, `a whole number from ${log.upTo} to ${log.index}`);
      }
      return { change: { kind: "checkpoint", upTo, json }, result: undefined };
    });
  }

  async replay(): Promise<Replay<E, S>> {
    const read = async () => readCell(this.#cell, this.#writer);
    const { snapshot, replay } = await replayOf<E, S>(this.#cell, read);
    await this.#cell.confirm(snapshot);
    return replay;
  }

  entries(options: EntriesOptions = {}): AsyncIterable<JournalEntry<E>> {
    const look: ReadPage<E> = async (after) => {
      let seen: JournalSnapshot | undefined;
      const read = async () => (seen = await readCell(this.#cell, this.#writer));
      const page = await pageOf<E>(this.#cell, read, after);
      if (seen !== undefined) await this.#cell.confirm(seen);
      return page;
    };
    return entriesOf(this.resource, look, options);
  }
}

/** The cell for one write, which tells of the version on which a duplicate's answer rests. */
function answering(
  cell: JournalCell,
  onDuplicate: (read: JournalSnapshot) => void,
): Pick<JournalCell, "read" | "replace" | "confirm"> {
  return {
    read: async () => cell.read(),
    replace: async (before, fencing, change, stillWanted) =>
      cell.replace(before, fencing, change, stillWanted),
    async confirm(read) {
      onDuplicate(read);
      await cell.confirm(read);
    },
  };
}

/** What was added after a place, all of it. */
export async function pageOf<E>(
  cell: JournalCell,
  read: () => Promise<JournalSnapshot>,
  after: number,
): Promise<Page<E>> {
  return cell.chase(read, async (snapshot) => {
    const { upTo, index: newest } = snapshot.log;
    if (after < upTo || after >= newest) return { upTo, newest, entries: [] };
    const placed = await cell.versions(snapshot, after);
    return placed && { upTo, newest, entries: toEntries<E>(placed, after) };
  });
}

export async function replayOf<E, S>(
  cell: JournalCell,
  read: () => Promise<JournalSnapshot>,
): Promise<{ readonly snapshot: JournalSnapshot; readonly replay: Replay<E, S> }> {
  return cell.chase(read, async (snapshot) => {
    const placed = await cell.versions(snapshot);
    if (placed === undefined) return undefined;
    return { snapshot, replay: toReplay<E, S>(cell, placed, snapshot.log.index) };
  });
}

function toReplay<E, S>(cell: JournalCell, placed: readonly Placed[], last: number): Replay<E, S> {
  const checkpoint = placed.findLast(({ version }) => version.checkpoint !== undefined)?.version.checkpoint;
  const { upTo, state } = checkpoint ?? { upTo: 0, state: undefined };
  const entries = toEntries<E>(placed, upTo);
  const whole = entries.length === last - upTo && entries.every(({ index }, i) => index === upTo + i + 1);
  if (!whole) throw cell.unreadable(`its entries from ${upTo + 1} to ${last} are not all there`);
  return { state: state as S | undefined, upTo, entries };
}

function toEntries<E>(placed: readonly Placed[], after: number): readonly JournalEntry<E>[] {
  return placed.flatMap(({ version: { index, entry } }) => {
    if (entry === undefined || index <= after) return [];
    const { token, owner, opId, data } = entry;
    return [{ index, token, owner, opId, entry: data as E }];
  });
}
