/**
 * Sessions of `pg`: connections of the pool that was handed in.
 *
 * A connection that is checked out and that the server ends emits `error`, which would end
 * the process where nobody listens; so somebody does, for as long as it is ours.
 */

import { createError } from "../../errors/index.js";
import type { Answer, SqlClient, SqlSession, Statement } from "../sql/session.js";
import { toAnswers } from "./answers.js";
import { Flight, isUnprepared, type Step } from "./flight.js";
import { inOneMessage } from "./literal.js";
import { Prepared } from "./prepared.js";

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
  /** The open transaction was named in a flight. */
  #marked = false;
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
    const [first] = statements;
    if (first?.control === "begin") this.#marked = false;
    const steps = first?.control === "rollback" ? undefined : this.#stepsOf(statements);
    if (steps === undefined) return this.#send(inOneMessage(statements));
    try {
      const answers = await this.#fly(steps);
      this.#marked ||= statements.some(({ witness }) => witness === "names");
      return answers;
    } catch (cause) {
      if (!isUnprepared(cause)) throw cause;
      this.#prepared.giveUp();
      if (first?.control !== "begin") throw cause;
      // Nothing of it was committed: it only began.
      return this.#send(`ROLLBACK;\n${inOneMessage(statements)}`);
    }
  }

  #stepsOf(statements: readonly Statement[]): readonly Step[] | undefined {
    return takesQueries(this.client) ? this.#prepared.stepsOf(statements, this.#marked) : undefined;
  }

  async #fly(steps: readonly Step[]): Promise<readonly Answer[]> {
    const flight = new Flight(steps);
    (this.client as unknown as { query(flight: Flight): unknown }).query(flight);
    return flight.landed;
  }

  async #send(text: string): Promise<readonly Answer[]> {
    return toAnswers(await this.client.query(text));
  }

  release(broken: boolean): void {
    this.client.removeListener("error", this.#hear);
    this.client.release(broken);
  }
}

const wireParts = ["parse", "bind", "describe", "execute", "sync"] as const;

/** pg does, but for its native client and its mode of pipelines; what else has a pool like pg's may not. */
function takesQueries(client: object): boolean {
  if (!("connection" in client) || ("pipeline" in client && client.pipeline === true)) return false;
  const wire = client.connection;
  if (typeof wire !== "object" || wire === null || !("stream" in wire)) return false;
  return wireParts.every((part) => typeof (wire as Readonly<Record<string, unknown>>)[part] === "function");
}
