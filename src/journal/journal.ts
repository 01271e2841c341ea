/**
 * The journal: a durable record of what the leaders of an election did, in the order in which they did it.
 *
 * A journal is a guard, so `fences` claims it with the resources it tells of, and what it
 * promises is what a guard promises, of a sequence of entries: an entry is durable, in its
 * place and under the term that claimed last, before it is acknowledged; once a successor
 * has claimed, a stale leader appends nothing, also one that was frozen between the check
 * and the effect; a crash at any step leaves an entry whole or not there. A successor that
 * has claimed reads all that was ever acknowledged, and nothing is added behind its back.
 *
 * Non-promise: a journal and a resource elsewhere are not changed in one step. Append
 * first what will be done, do it under the same `opId`, and let the successor do again what
 * stands last: a guard that remembers operations answers what was done already. A journal
 * in a database can be changed together with the data beside it, in its `transaction`.
 *
 * Types only; what each journal adds stands where it is made.
 */

import type { ElectionRow } from "../fence/cell.js";
import type { Fence } from "../fence/fence.js";
import type { Guard } from "../fence/guard.js";
import type { WriteOptions } from "../fence/writer.js";

/** `E` is what an entry says, `S` the state that entries add up to; both JSON. */
export interface Journal<E, S = unknown> extends Guard<JournalHandle<E, S>> {
  /**
   * What stands in the journal, for those who only look. Not fenced, and possibly not durable yet: only
   * `JournalHandle.replay` tells a leader what it may rest on. Rejects as `replay` does, but never as stale.
   */
  inspect(): Promise<JournalInspection<E, S>>;
  /**
   * The entries after a place, in order and without a gap, up to the newest at the time of the first look; a page at a
   * time, and the next one only when it is asked for. As `inspect`, not fenced.
   *
   * Iterating throws JOURNAL_TRIMMED, whose `upTo` says where to go on, when a checkpoint has taken the place of what
   * comes next, JOURNAL_UNREADABLE when a part is missing or the place lies beyond the newest entry, GUARD_FAILED when
   * the resource does not answer, and the signal's reason.
   */
  entries(options?: EntriesOptions): AsyncIterable<JournalEntry<E>>;
  /**
   * As `entries`, and then what is appended, for ever: it looks again every `pollMs`. Ends when the signal aborts, or
   * when the loop is left. Keeps the process alive meanwhile.
   */
  follow(options?: FollowOptions): AsyncIterable<JournalEntry<E>>;
}

export interface EntriesOptions {
  /** The place behind which to begin: the `index` of the last entry that is known, 0 for all. Default 0. */
  readonly after?: number;
  /**
   * Entries of one page, 1 to 10 000. Default 200: with entries of the default limit at most some 12 MiB at once. A
   * journal of files reads all at once that came after the last page.
   */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends EntriesOptions {
  /** How often to look when there was nothing new, ms, 10 to 600 000. Default 1 000: each look costs one small read. */
  readonly pollMs?: number;
}

/** Appends for one term. Calls of one term are carried out one after the other, in the order in which they came. */
export interface JournalHandle<E, S = unknown> {
  readonly resource: string;
  readonly fence: Fence;
  /**
   * Adds an entry. An operation that stands in the journal already, of whatever term, is answered with its place
   * and not added again. It stands there from its append until it is forgotten after a checkpoint.
   *
   * Rejects with ENTRY_TOO_LARGE when it is over the limit, with STALE, CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING
   * when the term is over for this journal, with GUARD_FAILED when nothing was added, with GUARD_UNCONFIRMED and
   * the `attempt` to hand back when it may have been.
   */
  append(entry: E, options?: WriteOptions): Promise<Appended>;
  /**
   * Keeps `state` in the place of the entries up to `upTo`, which may then be removed. Name the last entry that
   * went into the state: entries that were added meanwhile stay. From the last checkpoint's `upTo` to the newest
   * index. Rejects as `append` does.
   */
  checkpoint(state: S, upTo: number, options?: CheckpointOptions): Promise<void>;
  /**
   * The state of the last checkpoint and the entries since, all durable, if this term may still use the journal:
   * rejects with STALE or the like otherwise, with JOURNAL_UNREADABLE when a part is missing. Never a part of it.
   */
  replay(): Promise<Replay<E, S>>;
  /** As `Journal.entries`, durable and fenced: throws STALE or the like once this term may not use the journal. */
  entries(options?: EntriesOptions): AsyncIterable<JournalEntry<E>>;
}

export type CheckpointOptions = Pick<WriteOptions, "attempt" | "signal">;

export interface Appended {
  /** Place in the journal: 1 for the first entry ever, then one more for each. */
  readonly index: number;
  /** It stood there before, by an earlier call, an earlier term, or an answer that was lost. */
  readonly duplicate: boolean;
}

export interface JournalEntry<E> {
  readonly index: number;
  /** Fencing token of the term that added it; never falls. */
  readonly token: number;
  /** The instance the token belonged to. */
  readonly owner: string;
  readonly opId: string;
  readonly entry: E;
}

export interface Replay<E, S> {
  /** As it was handed to the last checkpoint; undefined where there was none. */
  readonly state: S | undefined;
  /** The last entry that `state` holds; 0 where there was no checkpoint. */
  readonly upTo: number;
  /** Those after `upTo`, in order, without a gap. */
  readonly entries: readonly JournalEntry<E>[];
}

export interface JournalInspection<E, S> extends Replay<E, S> {
  readonly rows: readonly ElectionRow[];
}
