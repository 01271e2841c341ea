/**
 * Sessions of postgres.js: transactions that its own `begin` opens and closes.
 *
 * `begin` and not `reserve`, which never answers when a connection closes while it waits. A
 * transaction whose session has ended takes the next statement all the same: on no socket,
 * which throws where nobody catches it, or on a new session, where it would stand in no
 * transaction. So every query of the body is stopped at the door once the session is over.
 */

import { createError } from "../../errors/index.js";
import type { Answer, SqlClient, SqlSession, Statement } from "../sql/session.js";
import { toAnswers } from "./answers.js";
import { gated } from "./gate.js";
import { inOneMessage } from "./literal.js";

/** What is asked of the `sql` inside of `begin`. */
export interface PostgresJsTransaction {
  (...parts: never[]): unknown;
  unsafe(text: string, values?: never[], options?: object): PromiseLike<unknown>;
}

/** What is asked of the `sql` of postgres.js, version 3. */
export interface PostgresJs {
  (...parts: never[]): unknown;
  /** With options and a body. */
  begin(...parts: never[]): Promise<unknown>;
  unsafe(text: string, values?: never[], options?: object): PromiseLike<unknown>;
}

/** The `sql` that `begin` hands to its body. */
export type TransactionSqlOf<C> = C extends {
  begin(options: string, body: (sql: infer T) => never): unknown;
}
  ? T
  : never;

/** The connection behind a query, as postgres.js hands it to `onexecute`. */
interface Connection {
  /** Called when its session ends, before anybody's next statement. */
  readonly onclose?: ((error: Error) => void) | null;
  terminate(): void;
}

interface Open<T> {
  readonly sql: T;
  readonly client: T;
  /** What `begin` does next. Never called once the session has ended: it would speak to nobody. */
  readonly end: (how: "commit" | "rollback") => void;
  /** Resolves when `begin` has committed, rejects as it does. */
  readonly finished: Promise<unknown>;
}

type Begin<T> = (options: string, body: (sql: T) => Promise<unknown>) => Promise<unknown>;

/** What the body of `begin` throws to be rolled back. */
const rolledBack: unique symbol = Symbol("rolled back");

export function postgresJsClient<T extends PostgresJsTransaction>(sql: PostgresJs): SqlClient<T> {
  return { acquire: async () => new PostgresJsSession<T>(sql) };
}

class PostgresJsSession<T extends PostgresJsTransaction> implements SqlSession<T> {
  readonly #sql: PostgresJs;
  #open: Open<T> | undefined;
  #connection: Connection | undefined;
  #ended: Error | undefined;
  #released = false;

  constructor(sql: PostgresJs) {
    this.#sql = sql;
  }

  get client(): T {
    if (this.#open === undefined) throw new Error("no transaction is open");
    return this.#open.client;
  }

  get ended(): Error | undefined {
    return this.#ended;
  }

  async run(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const first = statements[0];
    const last = statements.at(-1);
    const between = statements.filter(({ control }) => control === undefined);
    if (first?.control === "begin") await this.#begin(first.text);
    const answers = between.length === 0 ? [] : await this.#send(between);
    if (last?.control === "commit") await this.#commit();
    if (last?.control === "rollback") await this.#rollback();
    return answers;
  }

  release(broken: boolean): void {
    this.#released = true;
    // What is over, `begin` has taken back by itself.
    if (broken && this.#open !== undefined && this.#ended === undefined) this.#connection?.terminate();
  }

  async #begin(text: string): Promise<void> {
    const options = text.replace(/^BEGIN /, "").toLowerCase();
    const begin = this.#sql.begin as Begin<T>;
    let opened: Open<T> | undefined;
    await new Promise<void>((resolve, reject) => {
      const finished = begin(options, async (sql) => {
        const ending = new Promise<"commit" | "rollback">((end) => {
          const client = gated(sql, () => this.#closed());
          opened = { sql, client, end, finished };
          this.#open = opened;
        });
        resolve();
        if ((await ending) === "rollback") throw rolledBack as unknown as Error;
      });
      finished.catch(reject).finally(() => {
        if (this.#open === opened) this.#open = undefined;
      });
    });
  }

  async #send(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const text = inOneMessage(statements);
    if (this.#open === undefined) return toAnswers(await this.#sql.unsafe(text, [], { simple: true }));
    const onexecute = (connection: Connection) => this.#watch(connection);
    const answers = toAnswers(await this.#open.sql.unsafe(text, [], { simple: true, onexecute }));
    if (this.#connection !== undefined) return answers;
    const message = "client must be the sql of postgres.js 3; it names no connection";
    throw createError("INVALID_OPTION", message, { base: TypeError });
  }

  async #commit(): Promise<void> {
    this.#open?.end("commit");
    await this.#open?.finished;
  }

  async #rollback(): Promise<void> {
    this.#open?.end("rollback");
    try {
      await this.#open?.finished;
    } catch (cause) {
      if (cause !== rolledBack) throw cause;
    }
  }

  #watch(connection: Connection): true {
    if (this.#connection === connection) return true;
    this.#connection = connection;
    const { onclose } = connection;
    const hear = (error: Error) => {
      this.#ended ??= error;
      onclose?.(error);
    };
    Object.assign(connection, { onclose: hear });
    return true;
  }

  #closed(): Error | undefined {
    return this.#released ? new Error("the transaction is over") : this.#ended;
  }
}
