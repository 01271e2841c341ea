/** `tenure/fence/mysql`: transactions on a MySQL or MariaDB server that a later leader's claim excludes. */

export type { SqlGuard, SqlHandle } from "../sql/guard.js";
export type { FenceStatement } from "../sql/statement.js";
export type { TableNames } from "../sql/tables.js";
export type { MysqlClient, MysqlPool, MysqlPromisePool } from "./client.js";
export { type MysqlGuardOptions, type MysqlHandle, mysqlGuard } from "./guard.js";
export { mysqlSchema } from "./print.js";
