/**
 * Iterations over a journal, whatever holds it: page after page, checked, and only as fast as they are asked for.
 *
 * Promise: what is yielded has no gap; where one would come, it throws and says why.
 */

import { offAbort, onAbort } from "../base/abort.js";
import type { Clock } from "../base/clock.js";
import { duration, knownOnly, optionError } from "../base/options.js";
import { createError, type TenureError } from "../errors/index.js";
import type { EntriesOptions, FollowOptions, JournalEntry } from "./journal.js";
import { whole } from "./limits.js";

/** The journal at one moment. */
export interface Page<E> {
  /** The last entry that a checkpoint took the place of. */
  readonly upTo: number;
  readonly newest: number;
  /** Those after the place that was asked for, at least as many as were asked for where there are so many. */
  readonly entries: readonly JournalEntry<E>[];
}

export type ReadPage<E> = (after: number, count: number) => Promise<Page<E>>;

/** @throws INVALID_OPTION at once; everything else comes with the iteration. */
export function entriesOf<E>(
  journal: string,
  read: ReadPage<E>,
  options: EntriesOptions = {},
): AsyncIterable<JournalEntry<E>> {
  knownOnly(options, ["after", "pageSize", "signal"]);
  return iterate(checked(journal, read), resolve(options));
}

/** @throws INVALID_OPTION at once; everything else comes with the iteration. */
export function followingOf<E>(
  journal: string,
  clock: Clock,
  read: ReadPage<E>,
  options: FollowOptions = {},
): AsyncIterable<JournalEntry<E>> {
  knownOnly(options, ["after", "pageSize", "signal", "pollMs"]);
  const pollMs = duration("pollMs", options.pollMs ?? 1_000, 10, 600_000);
  return follow(checked(journal, read), clock, pollMs, resolve(options));
}

interface Reading {
  readonly after: number;
  readonly pageSize: number;
  readonly signal: AbortSignal | undefined;
}

function resolve({ after = 0, pageSize = 200, signal }: EntriesOptions): Reading {
  if (!Number.isSafeInteger(after) || after < 0)
    throw optionError("after", after, "0 or the place of an entry");
  return { after, pageSize: whole("pageSize", pageSize, 1, 10_000), signal };
}

async function* iterate<E>(
  read: ReadPage<E>,
  { after, pageSize, signal }: Reading,
): AsyncGenerator<JournalEntry<E>, void, undefined> {
  let place = after;
  let end = Infinity;
  while (place < end) {
    signal?.throwIfAborted();
    const { entries, newest } = await read(place, pageSize);
    end = Math.min(end, newest);
    for (const entry of entries) {
      if (entry.index > end) return;
      signal?.throwIfAborted();
      place = entry.index;
      yield entry;
    }
  }
}

async function* follow<E>(
  read: ReadPage<E>,
  clock: Clock,
  pollMs: number,
  { after, pageSize, signal }: Reading,
): AsyncGenerator<JournalEntry<E>, void, undefined> {
  const isOver = () => signal?.aborted === true;
  let place = after;
  while (!isOver()) {
    const { entries, newest } = await read(place, pageSize);
    for (const entry of entries) {
      if (isOver()) return;
      place = entry.index;
      yield entry;
    }
    if (place >= newest) await pause(clock, pollMs, signal);
  }
}

/** Throws JOURNAL_TRIMMED and JOURNAL_UNREADABLE. */
function checked<E>(journal: string, read: ReadPage<E>): ReadPage<E> {
  return async (after, count) => {
    const page = await read(after, count);
    const { upTo, newest, entries } = page;
    if (after < upTo) {
      const message = `a checkpoint of journal "${journal}" has taken the place of its entries up to ${upTo}`;
      throw createError("JOURNAL_TRIMMED", message, { fields: { upTo } });
    }
    if (after > newest) throw unreadable(journal, `it ends at ${newest}, and ${after} was to be in it`);
    const isWhole = entries.every(({ index }, i) => index === after + i + 1);
    if (isWhole && entries.length >= Math.min(count, newest - after)) return page;
    throw unreadable(journal, `its entries from ${after + 1} to ${newest} are not all there`);
  };
}

export function unreadable(journal: string, why: string): TenureError {
  return createError("JOURNAL_UNREADABLE", `journal "${journal}": ${why}; it is left as it is`);
}

/** Also ends when the signal aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      timer.cancel();
      if (signal !== undefined) offAbort(signal, end);
      resolve();
    };
    const timer = clock.setTimer(ms, end);
    if (signal !== undefined) onAbort(signal, end);
  });
}
