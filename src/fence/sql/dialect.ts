/**
 * What the databases say differently: how a transaction begins, how it locks, what an error means. Types only.
 */

import type { Attempt, Fence } from "../fence.js";
import type { Answer, SqlValue, Statement } from "./session.js";
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
  /** The session knows a statement no more that it was to keep; the same again will go as text. */
  | "unprepared"
  | "tables-missing"
  /** The session that was to be ended is over. */
  | "gone"
  | "other";

/** `read committed` unless the caller wants more; claims always use it. */
export type Isolation = "read committed" | "repeatable read" | "serializable";

export type Purpose = "claim" | "write" | "read";

/** The row that is locked, and the token in whose name. */
export interface Lock {
  readonly id: string;
  readonly token: number;
}

/** A piece of a statement. */
export interface Fragment {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** A number that is to be taken, by whom, and how long that may wait. */
export interface Taking {
  readonly id: string;
  readonly fence: Fence;
  readonly attempt: Attempt;
  readonly limitMs: number;
  readonly isolation: Isolation;
}

/** Who holds a row's lock under which token. */
export interface Blockers {
  find(tables: Tables, lock: Lock): readonly Statement[];
  /** Out of the answers of `find`: `session`, `token`, and `since` where it is known. */
  held(answers: readonly Answer[]): Answer["rows"];
  /** What ends those whose token is lower. `stale` looks for their sessions, for a database that cannot do both at once. */
  evict(lock: Lock, stale: () => Promise<readonly number[]>): Promise<readonly Statement[]>;
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
   * `check` fails in any other transaction than the one that is open, where `commit` would mean nothing. It is named by
   * the first answer of a write's `begin`, as `witness`, or marked by `ask`.
   */
  readonly witness?: { readonly ask?: Statement; readonly check: (name: string) => Statement };
  /**
   * Begins a write, locks, compares the claim and takes the number. The last statement answers `witness`, or no row: the
   * claim does not stand or the number is not free, which a look then tells. For order `any`. Absent where a refused
   * writer would wait for the row of a number all the same: there each write looks first.
   */
  readonly atOnce?: (tables: Tables, taking: Taking) => readonly Statement[];
  /** What else the row of a number is set to when it is taken: assignments, each with a comma in front. */
  readonly mark?: (attempt: Attempt) => Fragment;
  /** Answers when the write is over that is taking this number; where its operation is found only then. */
  readonly awaitNumber?: (tables: Tables, id: string, seq: number) => Statement;
  readonly blockers?: Blockers;
  failure(error: unknown): Failure;
  /** One statement per table. */
  schema(tables: Tables): readonly string[];
  /** Quoted for this database; `name` is checked already. */
  quote(name: string): string;
}
