/** `tenure/fence/postgres`: transactions on a PostgreSQL server that a later leader's claim excludes. */

export type { Isolation } from "../sql/dialect.js";
export type { SqlGuard, SqlHandle } from "../sql/guard.js";
export type { FenceStatement } from "../sql/statement.js";
export type { TableNames } from "../sql/tables.js";
export type { PostgresClient } from "./client.js";
export { type PostgresGuardOptions, type PostgresHandle, postgresGuard } from "./guard.js";
export type { PgConnection, PgPool } from "./pg.js";
export type { PostgresJs, PostgresJsTransaction } from "./postgres-js.js";
export { postgresSchema } from "./print.js";
