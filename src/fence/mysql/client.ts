/** The clients that may be handed in, by what they can do. No client is imported here: whoever uses one has it. */

import { createError, type TenureError } from "../../errors/index.js";
import type { SqlClient } from "../sql/session.js";
import { type Connection, MysqlSession } from "./session.js";

/** What is asked of the `Pool` of mysql2, version 3. */
export interface MysqlPool {
  getConnection(answer: (error: Error | null, connection: object) => void): void;
  promise(...parts: never[]): unknown;
}

/** What is asked of the `Pool` of `mysql2/promise`, version 3. */
export interface MysqlPromisePool {
  getConnection(): Promise<unknown>;
  readonly pool: object;
}

export type MysqlClient = MysqlPool | MysqlPromisePool;

/** What the body of a transaction is given: the connection that this pool hands out. */
export type ConnectionOf<P> = P extends { getConnection(): Promise<infer C> }
  ? C
  : P extends { getConnection(answer: infer A): void }
    ? A extends (error: never, connection: infer C) => unknown
      ? C
      : never
    : never;

const wanted = "a Pool of mysql2 3 or of mysql2/promise";

/** @throws INVALID_OPTION that says what is missing. */
export function clientOf<P extends MysqlClient>(client: P): SqlClient<ConnectionOf<P>> {
  const given: unknown = client;
  if (typeof given !== "object" || given === null) throw refused(`it is ${String(given)}`);
  const { getConnection, promise, pool } = given as Readonly<Record<string, unknown>>;
  if (typeof getConnection !== "function") throw refused("it has no getConnection()");
  if (typeof promise === "function") return callbackClient<ConnectionOf<P>>(client as never);
  if (typeof pool === "object" && pool !== null) return promiseClient<ConnectionOf<P>>(client as never);
  throw refused("it has neither promise() nor a pool behind it");
}

function callbackClient<C>(pool: {
  getConnection(answer: (error: Error | null, connection: C & Connection) => void): void;
}): SqlClient<C> {
  return {
    acquire: async () =>
      new Promise((resolve, reject) => {
        pool.getConnection((error, connection) => {
          if (error) reject(error);
          else resolve(new MysqlSession<C>(connection, connection));
        });
      }),
  };
}

/** Its connections are shells around those with callbacks. */
function promiseClient<C>(pool: {
  getConnection(): Promise<C & { readonly connection: Connection }>;
}): SqlClient<C> {
  return {
    async acquire() {
      const client = await pool.getConnection();
      return new MysqlSession<C>(client, client.connection);
    },
  };
}

function refused(why: string): TenureError {
  return createError("INVALID_OPTION", `client must be ${wanted}; ${why}`, { base: TypeError });
}
