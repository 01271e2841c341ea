/** A ledger on a database server and guards on it, as the suites for all servers use them. */

import type { TenureError } from "../../../src/errors/index.js";
import type { Claimant } from "../../../src/fence/fence.js";
import type { Isolation } from "../../../src/fence/sql/dialect.js";
import type { SqlGuard, SqlHandle } from "../../../src/fence/sql/guard.js";
import type { SqlGuardOptions } from "../../../src/fence/sql/options.js";
import type { FenceStatement } from "../../../src/fence/sql/statement.js";
import type { Tables } from "../../../src/fence/sql/tables.js";
import { fence } from "../scene.js";
import type { Standing } from "./standing.js";

export type StandOptions = Partial<SqlGuardOptions> & {
  readonly evictStale?: boolean;
  readonly isolation?: Isolation;
};

/** What handles of all database servers have. */
export interface StandHandle<T> extends SqlHandle<T> {
  statement(): FenceStatement;
  refusalOf(error: unknown): TenureError | undefined;
}

/** `T` is what the body of a transaction is given. */
export interface Stand<T> {
  readonly tables: Required<Tables>;
  /** Through the client of this name; the first one when it is left out. Makes its tables unless told otherwise. */
  guard(options?: StandOptions, client?: string): SqlGuard<StandHandle<T>>;
  /** One whose next commit is not answered. */
  breakable(): { readonly guard: SqlGuard<SqlHandle<T>>; breakNext(when: "before" | "after"): void };
  /** A role that may do nothing but change rows, and guards that it uses. */
  writer(): Promise<{ guard(options: StandOptions): SqlGuard<SqlHandle<T>>; drop(): Promise<void> }>;
  /** A leader in a process of its own, on tables that are there. */
  leader(client: string, token: number, remainingMs: number): Promise<Standing>;
  /** Puts `value` behind what is there. */
  put(tx: T, value: string, resource?: string): Promise<void>;
  content(): Promise<readonly string[]>;
  /** One statement of a transaction, as text. */
  run(tx: T, text: string): Promise<unknown>;
  /** Past every guard. */
  query(text: string): Promise<unknown>;
  /** The texts of this column. */
  column(text: string): Promise<readonly string[]>;
  count(table: string): Promise<number>;
  /** A transaction by hand, with this in it. */
  open(text: string): Promise<{ commit(): Promise<void> }>;
  /** The same, with nothing in it yet. */
  byHand(): Promise<ByHand<T>>;
  /** Resolves when so many transactions of the server wait for a lock. */
  waiting(count: number): Promise<void>;
  /** The server's number of the session behind a transaction. */
  session(tx: T): Promise<number>;
  isOpen(session: number): Promise<boolean>;
  kill(session: number): Promise<void>;
}

/** A transaction that no guard has opened. */
export interface ByHand<T> {
  readonly tx: T;
  send(text: string, values?: readonly (string | number)[]): Promise<unknown>;
  /** Its session is given back, or has been ended by somebody else. */
  end(how: "COMMIT" | "ROLLBACK"): Promise<void>;
}

/** How tests come by a stand; `clients` are the names that `guard` takes. */
export interface Server<T> {
  readonly clients: readonly string[];
  inStand(work: (stand: Stand<T>) => Promise<void>): Promise<void>;
}

/** A transaction by hand, with this in it; over when that fails. */
export async function opened<T>(
  byHand: () => Promise<ByHand<T>>,
  text: string,
): ReturnType<Stand<T>["open"]> {
  const { send, end } = await byHand();
  try {
    await send(text);
  } catch (error) {
    await end("ROLLBACK");
    throw error;
  }
  return { commit: async () => end("COMMIT") };
}

/** A write that stands still inside its transaction until it is told to end. */
export async function holding<T>(
  stand: Stand<T>,
  options: StandOptions = {},
  claimant: Claimant = { fence: fence() },
): Promise<{ readonly session: number; readonly end: () => Promise<"committed" | "failed"> }> {
  const handle = await stand.guard(options).claim(claimant);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let settled: Promise<"committed" | "failed"> | undefined;
  const session = await new Promise<number>((inside, failed) => {
    const write = handle.transaction(async (tx) => {
      await stand.put(tx, "held", options.resource);
      inside(await stand.session(tx));
      await held;
    });
    write.catch(failed);
    settled = write.then(
      () => "committed",
      () => "failed",
    );
  });
  return {
    session,
    end: async () => {
      goOn();
      return settled ?? "failed";
    },
  };
}
