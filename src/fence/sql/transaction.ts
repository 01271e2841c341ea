/**
 * One transaction on one session: every answer is waited for within bounds, and the session always finds a way back.
 *
 * A session goes back to its pool only in a known state. One whose answer did not come, or which could not roll back,
 * is given up, and the server rolls back what it held.
 */

import type { Clock } from "../../base/clock.js";
import { inTime } from "../../base/in-time.js";
import { createError, type TenureError } from "../../errors/index.js";
import type { Dialect, Failure } from "./dialect.js";
import type { Answer, SqlClient, SqlSession, Statement } from "./session.js";

/** Where transactions run. */
export interface Site<T> {
  readonly client: SqlClient<T>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** For messages. */
  readonly resource: string;
}

/** Beyond what the server itself allows: its own timeouts come first, since they are definite. */
const graceMs = 2_000;

/** A driver's error, and what it means. */
export interface Failed {
  readonly failure: Failure;
  readonly cause: unknown;
}

export type Ran = { readonly answers: readonly Answer[] } | Failed;

/** Runs `work` in a transaction that `work` commits; what it leaves open is rolled back. */
export async function inTransaction<T, R>(
  site: Site<T>,
  limitMs: number,
  work: (transaction: Transaction<T>) => Promise<R>,
): Promise<R> {
  const session = await acquire(site, limitMs);
  const transaction = new Transaction(site, session, limitMs);
  try {
    return await work(transaction);
  } finally {
    session.release(!(await transaction.close()));
  }
}

export class Transaction<T> {
  readonly #site: Site<T>;
  readonly #session: SqlSession<T>;
  readonly #limitMs: number;
  #state: "open" | "settled" | "broken" = "settled";

  constructor(site: Site<T>, session: SqlSession<T>, limitMs: number) {
    this.#site = site;
    this.#session = session;
    this.#limitMs = limitMs;
  }

  get client(): T {
    return this.#session.client;
  }

  /** A failure is an answer. Statements that may have been sent and were not answered are `lost`. */
  async run(statements: readonly Statement[]): Promise<Ran> {
    const { ended } = this.#session;
    if (ended !== undefined) return this.#failed(ended, "ended");
    this.#state = "open";
    const running = this.#session.run(statements);
    try {
      const answers = await inTime(this.#site.clock, this.#limitMs + graceMs, running);
      if (answers !== "silent") return { answers };
      running.catch(() => {});
      return this.#failed(new Error(`no answer within ${this.#limitMs + graceMs} ms`), "lost");
    } catch (cause) {
      return this.#failed(cause, this.#site.dialect.failure(cause));
    }
  }

  /** As `run`, and throws GUARD_FAILED when it fails. For statements that change nothing by themselves. */
  async ask(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const ran = await this.run(statements);
    if ("failure" in ran) throw guardFailed(this.#site.resource, ran);
    return ran.answers;
  }

  /** `statements`, and the commit with them. */
  async commit(statements: readonly Statement[] = []): Promise<Ran> {
    const ran = await this.run([...statements, this.#site.dialect.commit]);
    if (!("failure" in ran)) this.#state = "settled";
    return ran;
  }

  async rollback(): Promise<void> {
    if (this.#state !== "open") return;
    const ran = await this.run([this.#site.dialect.rollback]);
    this.#state = "failure" in ran ? "broken" : "settled";
  }

  /** Whether the session may be used again. */
  async close(): Promise<boolean> {
    await this.rollback();
    return this.#state === "settled" && this.#session.ended === undefined;
  }

  #failed(cause: unknown, failure: Failure): Failed {
    if (failure === "lost" || failure === "ended") this.#state = "broken";
    return { failure, cause };
  }
}

/** Throws GUARD_FAILED: without a session nothing was sent. */
async function acquire<T>({ client, clock, resource }: Site<T>, limitMs: number): Promise<SqlSession<T>> {
  const acquiring = client.acquire();
  let session: SqlSession<T> | "silent";
  try {
    session = await inTime(clock, limitMs + graceMs, acquiring);
  } catch (cause) {
    throw guardFailed(resource, { failure: "other", cause });
  }
  if (session !== "silent") return session;
  // Whoever comes late is sent home.
  acquiring.then(
    (late) => late.release(false),
    () => {},
  );
  const cause = new Error(`the client had no session to give within ${limitMs + graceMs} ms`);
  throw guardFailed(resource, { failure: "other", cause });
}

export function guardFailed(resource: string, { failure, cause }: Failed): TenureError {
  const why = cause instanceof Error ? cause.message : "no error was given";
  if (failure === "tables-missing") {
    const advice = "print the schema of this guard and let an operator run it, or set create: true";
    return createError("GUARD_TABLES_MISSING", `"${resource}" has no tables to fence it: ${why}; ${advice}`, {
      cause,
    });
  }
  return createError("GUARD_FAILED", `"${resource}" failed: ${why}`, { cause });
}

/** Nothing was done, and the same again may go well. */
export function mayBeAgain({ failure }: Failed): boolean {
  return failure === "taken" || failure === "again" || failure === "unprepared";
}

/** How many of these statements are answered. */
export function answering(statements: readonly Statement[]): number {
  return statements.filter(({ answer }) => answer !== undefined).length;
}
