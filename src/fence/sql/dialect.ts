/**
 * What the databases say differently: how a transaction begins, how it locks, what an error means. Types only.
 */

import type { Statement } from "./session.js";
import type { Tables } from "./tables.js";

/** What an error of the driver means. All but `lost` are definite: the statement did nothing. */
export type Failure =
  /** No clear answer: the connection went, or the server was ending. */
  | "lost"
  /** The server ended the session before it took the statement. */
  | "ended"
  /** A lock was not granted in time. */
  | "locked"
  /** A unique key stands already. */
  | "taken"
  /** Given up in favour of somebody else; the same again may go well. */
  | "again"
  | "tables-missing"
  | "other";

/** `read committed` unless the caller wants more; claims always use it. */
export type Isolation = "read committed" | "repeatable read" | "serializable";

export type Purpose = "claim" | "write" | "read";

/** The row that is locked, and the token in whose name. */
export interface Lock {
  readonly id: string;
  readonly token: number;
}

export interface Dialect {
  readonly kind: string;
  /** `limitMs` bounds each wait for a lock, each statement and each idle moment, on the server. */
  begin(purpose: Purpose, limitMs: number, isolation: Isolation): readonly Statement[];
  readonly commit: Statement;
  readonly rollback: Statement;
  /** The last of them answers the row. Shared with other writers, and excludes claims. */
  lockShared(tables: Tables, lock: Lock): readonly Statement[];
  /** The last of them answers the row. Waits for those who share it, and is not overtaken by later ones. */
  lockExclusive(tables: Tables, lock: Lock): readonly Statement[];
  /**
   * Fails in any other transaction than the one of this name, where `commit` would mean nothing. The first answer of
   * a write's `begin` names it, as `witness`.
   */
  readonly witness?: (name: string) => Statement;
  /** `find`: who holds the row's lock. `evict`: ends those of them whose token is lower. */
  readonly blockers?: {
    readonly find: (lock: Lock) => Statement;
    readonly evict: (lock: Lock) => Statement;
  };
  failure(error: unknown): Failure;
  /** One statement per table. */
  schema(tables: Tables): readonly string[];
  /** Quoted for this database; `name` is checked already. */
  quote(name: string): string;
}
