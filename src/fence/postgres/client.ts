/** The clients that may be handed in, by what they can do. No client is imported here: whoever uses one has it. */

import { createError, type TenureError } from "../../errors/index.js";
import type { SqlClient } from "../sql/session.js";
import { type ConnectionOf, pgClient, type PgPool } from "./pg.js";
import { type PostgresJs, postgresJsClient, type TransactionSqlOf } from "./postgres-js.js";

/** A `Pool` of pg, or the `sql` of postgres.js. */
export type PostgresClient = PgPool | PostgresJs;

/** What the body of a transaction is given: pg's connection, or the `sql` of postgres.js inside of `begin`. */
export type TransactionOf<C> = C extends PostgresJs ? TransactionSqlOf<C> : ConnectionOf<C>;

const wanted = "a Pool of pg 8, or the sql of postgres.js 3";

/** @throws INVALID_OPTION that says what is missing. */
export function clientOf<C extends PostgresClient>(client: C): SqlClient<TransactionOf<C>> {
  if (typeof client === "function") {
    if (typeof client.begin !== "function") throw refused("it is a function without begin()");
    return postgresJsClient(client) as unknown as SqlClient<TransactionOf<C>>;
  }
  if (typeof client !== "object" || client === null) throw refused(`it is ${String(client)}`);
  if (typeof client.connect !== "function") throw refused("it has no connect()");
  if ("release" in client || "processID" in client) throw refused("it is a single connection, not a pool");
  return pgClient(client) as SqlClient<TransactionOf<C>>;
}

function refused(why: string): TenureError {
  return createError("INVALID_OPTION", `client must be ${wanted}; ${why}`, { base: TypeError });
}
