/**
 * Sessions of `pg`: connections of the pool that was handed in.
 *
 * A connection that is checked out and that the server ends emits `error`, which would end
 * the process where nobody listens; so somebody does, for as long as it is ours.
 */

import { createError } from "../../errors/index.js";
import type { Answer, SqlClient, SqlSession, Statement } from "../sql/session.js";
import { toAnswers } from "./answers.js";
import { inOneMessage } from "./literal.js";
import { Prepared, isUnprepared } from "./prepared.js";

/** What is asked of a connection of pg's pool. */
export interface PgConnection {
  query(text: string): Promise<unknown>;
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** What is asked of pg's `Pool`, version 8. */
export interface PgPool {
  connect(): Promise<PgConnection>;
}

/** The connection that a pool hands out: pg declares `connect` twice, of which inference would see the second. */
export type ConnectionOf<P> = P extends {
  connect: { (): Promise<infer C>; (callback: infer _): void };
}
  ? C
  : P extends { connect(): Promise<infer C> }
    ? C
    : never;

export function pgClient<C extends PgConnection>(pool: { connect(): Promise<C> }): SqlClient<C> {
  return {
    async acquire() {
      const connection = await pool.connect();
      if (typeof connection?.query === "function" && typeof connection.release === "function") {
        return new PgSession(connection);
      }
      throw createError(
        "INVALID_OPTION",
        "client must be a Pool of pg; what it connected cannot be released",
        {
          base: TypeError,
        },
      );
    },
  };
}

/** Of each connection, for as long as its pool keeps it. */
const preparedOn = new WeakMap<PgConnection, Prepared>();

class PgSession<C extends PgConnection> implements SqlSession<C> {
  readonly client: C;
  readonly #prepared: Prepared;
  #ended: Error | undefined;
  readonly #hear = (error: Error): void => {
    this.#ended ??= error;
  };

  constructor(connection: C) {
    this.client = connection;
    this.#prepared = preparedOn.get(connection) ?? new Prepared();
    preparedOn.set(connection, this.#prepared);
    connection.on("error", this.#hear);
  }

  get ended(): Error | undefined {
    return this.#ended;
  }

  async run(statements: readonly Statement[]): Promise<readonly Answer[]> {
    // What ends a transaction is sent as it is: of that nothing could be sent again.
    if (statements[0]?.control !== "begin") return this.#send(inOneMessage(statements));
    const { text, prepares, executes } = this.#prepared.inOneMessage(statements);
    try {
      const answers = await this.#send(text);
      this.#prepared.stands(prepares);
      return answers;
    } catch (cause) {
      if (!executes || !isUnprepared(cause)) throw cause;
      // Nothing of it was committed: it only began.
      this.#prepared.giveUp();
      return this.#send(`ROLLBACK;\n${inOneMessage(statements)}`);
    }
  }

  async #send(text: string): Promise<readonly Answer[]> {
    return toAnswers(await this.client.query(text));
  }

  release(broken: boolean): void {
    this.client.removeListener("error", this.#hear);
    this.client.release(broken);
  }
}
