/**
 * Sessions of postgres.js: connections that are reserved from the `sql` that was handed in.
 *
 * A reserved connection whose session has ended takes the next statement all the same: on no
 * socket, which throws where nobody catches it, or on a new session, where it would stand in
 * no transaction. So every query of the body is stopped at the door once the session is over.
 */

import { createError } from "../../errors/index.js";
import type { Answer, SqlClient, SqlSession, Statement } from "../sql/session.js";
import { toAnswers } from "./answers.js";
import { inOneMessage } from "./literal.js";

/** What is asked of a reserved `sql`. */
export interface PostgresJsReserved {
  (...parts: never[]): unknown;
  unsafe(text: string, values?: never[], options?: object): PromiseLike<unknown>;
  release(): void;
}

/** What is asked of the `sql` of postgres.js, version 3. */
export interface PostgresJs {
  (...parts: never[]): unknown;
  reserve(): Promise<PostgresJsReserved>;
}

export type ReservedOf<C> = C extends { reserve(): Promise<infer R> } ? R : never;

/** The connection behind a reserved `sql`, as postgres.js hands it to `onexecute`. */
interface Connection {
  onclose: ((error: Error) => void) | null;
  terminate(): void;
}

/** A query that runs when it is awaited, through its handler. */
interface Query {
  handler: (query: Query) => void;
  reject(error: Error): void;
}

export function postgresJsClient<R extends PostgresJsReserved>(sql: { reserve(): Promise<R> }): SqlClient<R> {
  return { acquire: async () => new PostgresJsSession(await sql.reserve()) };
}

class PostgresJsSession<R extends PostgresJsReserved> implements SqlSession<R> {
  readonly client: R;
  readonly #reserved: R;
  #connection: Connection | undefined;
  #ended: Error | undefined;
  #released = false;

  constructor(reserved: R) {
    this.#reserved = reserved;
    this.client = gated(reserved, () => this.#closed());
  }

  get ended(): Error | undefined {
    return this.#ended;
  }

  async run(statements: readonly Statement[]): Promise<readonly Answer[]> {
    const options = { simple: true, onexecute: (connection: Connection) => this.#watch(connection) };
    const answers = toAnswers(await this.#reserved.unsafe(inOneMessage(statements), [], options));
    if (this.#connection !== undefined) return answers;
    throw createError("INVALID_OPTION", "client must be the sql of postgres.js 3; it names no connection", {
      base: TypeError,
    });
  }

  release(broken: boolean): void {
    this.#released = true;
    // postgres.js has taken back what has ended, and would take it for open if it were released now.
    if (this.#ended !== undefined) return;
    if (broken && this.#connection !== undefined) this.#connection.terminate();
    else this.#reserved.release();
  }

  #watch(connection: Connection): true {
    this.#connection = connection;
    connection.onclose = (error) => {
      this.#ended ??= error;
    };
    return true;
  }

  #closed(): Error | undefined {
    return this.#released ? new Error("the transaction is over") : this.#ended;
  }
}

/** The same `sql`, whose queries are rejected once `closed` gives a reason. */
function gated<R extends PostgresJsReserved>(reserved: R, closed: () => Error | undefined): R {
  const gate = (made: unknown): unknown => {
    if (!isQuery(made)) return made;
    const { handler } = made;
    const stopped = (query: Query) => {
      const reason = closed();
      if (reason === undefined) handler(query);
      else query.reject(reason);
    };
    // It carries settings of the instance.
    made.handler = Object.assign(stopped, handler);
    return made;
  };
  const makers: readonly PropertyKey[] = ["unsafe", "file", "notify"];
  return new Proxy(reserved, {
    apply: (target, self, parts) => gate(Reflect.apply(target, self, parts as never[])),
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function" || !makers.includes(name)) return value;
      return (...parts: readonly unknown[]) => gate(Reflect.apply(value, target, parts));
    },
  });
}

function isQuery(made: unknown): made is Query {
  return typeof made === "object" && made !== null && "handler" in made && typeof made.handler === "function";
}
