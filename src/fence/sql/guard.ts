/**
 * The guard of a resource in a database, over whatever client and dialect: what users hold.
 */

import type { ElectionRow } from "../cell.js";
import type { Fence } from "../fence.js";
import type { FenceOperator } from "../operator.js";
import type { ReceivingGuard } from "../receiving.js";
import { writerFor, type WriteOptions, type Writer } from "../writer.js";
import { type Claimed, claimSql } from "./claim.js";
import { inspectRows } from "./inspect.js";
import { sqlOperator } from "./operator.js";
import { readSql } from "./read.js";
import { receiveSql } from "./receive.js";
import type { SqlResource } from "./resource.js";
import { writeSql } from "./write.js";

/** Writes for one term. `T` is the client's own object: a transaction is open on it. */
export interface SqlHandle<T> {
  readonly resource: string;
  readonly fence: Fence;
  /**
   * Runs `body` in a read-only transaction with one snapshot, taken when this term could still use the resource;
   * no lock is held. Rejects with STALE or the like otherwise, with GUARD_FAILED, and with what `body` throws.
   */
  read<R>(body: (client: T) => R | Promise<R>): Promise<R>;
  /**
   * Runs `body` in a transaction that is committed before a successor's claim, or not at all. Everything that `body`
   * sends through the client it is given belongs to it; it must not begin, commit or roll back by itself, nor use the
   * client afterwards. `body` may be called again when nothing of it was applied, and is not called for a write that
   * was applied before, whose result is answered instead.
   *
   * Resolves with what `body` returned, JSON of at most 4 KiB or nothing. Rejects with what `body` throws, with STALE,
   * CONFLICT, FOREIGN_LINEAGE or CLAIM_MISSING when the term is over for this resource, with GUARD_FAILED when nothing
   * was applied, with GUARD_UNCONFIRMED and the `attempt` to hand back when it may have been.
   */
  transaction<R = void>(body: (client: T) => R | Promise<R>, options?: WriteOptions): Promise<R>;
}

/** `T`: what bodies are given. */
export interface SqlGuard<H, T = unknown> extends ReceivingGuard<H, T> {
  /** What fences the resource, for those who only look: not fenced. */
  inspect(): Promise<readonly ElectionRow[]>;
  /** For people, not for leaders. */
  readonly operator: FenceOperator;
}

export function createSqlGuard<T, H>(
  resource: SqlResource<T>,
  toHandle: (handle: SqlHandle<T>, claimed: Claimed, writer: Writer) => H,
): SqlGuard<H, T> {
  const { dialect, options } = resource;
  return {
    kind: dialect.kind,
    resource: options.resource,
    async claim(claimant, claimOptions = {}) {
      const claimed = await claimSql(resource, claimant, claimOptions);
      const { order, concurrency } = options;
      const writer = writerFor(claimed.claimant, claimed.seq, {
        resource: options.resource,
        // The row's own: two databases may hold a resource of one name.
        numbering: `${dialect.kind}/${claimed.generation}`,
        order,
        concurrency,
      });
      return toHandle(createHandle(resource, claimed, writer), claimed, writer);
    },
    receive: receiveSql(resource),
    inspect: async () => inspectRows(resource),
    operator: sqlOperator(resource),
  };
}

function createHandle<T>(resource: SqlResource<T>, claimed: Claimed, writer: Writer): SqlHandle<T> {
  return {
    resource: resource.options.resource,
    fence: writer.fence,
    read: async (body) => readSql(resource, claimed, writer, async ({ client }) => body(client)),
    transaction: async (body, options = {}) =>
      writeSql(resource, claimed, writer, options, async ({ client }) => body(client)),
  };
}
