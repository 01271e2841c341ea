/**
 * What the guards need of a database's client: one session, statements one after the other. Types only.
 *
 * Statements carry `?` where a value belongs; a driver sends values beside the text or
 * as literals in it, and as many statements in one message as its protocol allows.
 */

export type SqlValue = string | number | null;

export interface Statement {
  readonly text: string;
  readonly values?: readonly SqlValue[];
  /** `rows`: it answers rows, asked for or not. `count`: how many rows it changed is asked for. */
  readonly answer?: "rows" | "count";
  /** `names` the transaction that it runs in; `proves` that this one is still open and well. */
  readonly witness?: "names" | "proves";
  /** Begins a transaction, or ends it: first or last among what is run together. */
  readonly control?: "begin" | "commit" | "rollback";
}

/** What one statement answered. Columns have one-word names in lower case, which no client renames. */
export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that it changed or answered. */
  readonly count: number;
}

/** One session of the server, for one caller at a time. `T` is the client's own object, for the caller's statements. */
export interface SqlSession<T> {
  /** While a transaction is open. */
  readonly client: T;
  /** Why the session is over, once the client has noticed; nothing is sent from then on. */
  readonly ended: Error | undefined;
  /**
   * Runs them in order; the first that fails ends the rest. Answers those with `answer`, in their order. Rejects with
   * the driver's error.
   */
  run(statements: readonly Statement[]): Promise<readonly Answer[]>;
  /** Called once. `broken`: nobody knows what state it is in, so nobody may have it again. Does not throw. */
  release(broken: boolean): void;
}

export interface SqlClient<T> {
  acquire(): Promise<SqlSession<T>>;
}
