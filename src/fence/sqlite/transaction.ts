/**
 * One transaction in one go: nothing else of this process can come in between, since nothing is awaited inside.
 *
 * The lock of the file is asked for again and again, since waiting inside SQLite would stop the process. Only what
 * `busy_timeout` of the connection says is waited for there.
 */

import type { Clock } from "../../base/clock.js";
import { failureOf, run, type SqliteDatabase } from "./database.js";

export interface Waiting {
  readonly clock: Clock;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
  /** On disk before it is answered, whatever the connection's `synchronous` says. */
  readonly durable: boolean;
}

/** What `work` says about the transaction that it was run in. */
export interface Worked<R> {
  readonly commit: boolean;
  readonly value: R;
}

export type Outcome<R> =
  | { readonly kind: "done"; readonly value: R }
  /** Nobody gave the lock back in time. */
  | { readonly kind: "busy"; readonly cause: unknown }
  /** It did not begin, or the commit failed; `lost` where that may have been done all the same. */
  | { readonly kind: "failed"; readonly cause: unknown; readonly lost: boolean };

const pauseMs = 10;

/** Rejects with what `work` throws, after a rollback, and with the signal's reason before it has begun. */
export async function inTransaction<R>(
  database: SqliteDatabase,
  { clock, limitMs, signal, durable }: Waiting,
  work: () => Worked<R>,
): Promise<Outcome<R>> {
  const until = clock.monotonicMs() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    const outcome = durable ? durably(database, () => attempt(database, work)) : attempt(database, work);
    if (outcome.kind !== "busy" || clock.monotonicMs() >= until) return outcome;
    await new Promise<void>((resolve) => void clock.setTimer(pauseMs, resolve));
  }
}

function attempt<R>(database: SqliteDatabase, work: () => Worked<R>): Outcome<R> {
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (cause) {
    return failureOf(cause) === "busy" ? { kind: "busy", cause } : { kind: "failed", cause, lost: false };
  }
  let worked: Worked<R>;
  try {
    worked = work();
  } catch (cause) {
    rollBack(database);
    throw cause;
  }
  if (!worked.commit) {
    rollBack(database);
    return { kind: "done", value: worked.value };
  }
  try {
    database.exec("COMMIT");
    return { kind: "done", value: worked.value };
  } catch (cause) {
    rollBack(database);
    return { kind: "failed", cause, lost: failureOf(cause) === "lost" };
  }
}

/** SQLite rolls back some failures by itself, and a body may have; then there is nothing left to do. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch (cause) {
    if (!(cause instanceof Error) || !/no transaction is active/.test(cause.message)) throw cause;
  }
}

const full = 2;

/** Of the connection, and not of a transaction: it is put back before anybody else can use it. */
function durably<R>(database: SqliteDatabase, action: () => R): R {
  const [row] = run(database, { text: "PRAGMA synchronous", answer: "rows" }).rows;
  const before = Number(row?.["synchronous"]);
  if (before >= full) return action();
  database.exec("PRAGMA synchronous = FULL");
  try {
    return action();
  } finally {
    database.exec(`PRAGMA synchronous = ${before}`);
  }
}
