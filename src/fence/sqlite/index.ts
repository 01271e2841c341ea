/** `tenure/fence/sqlite`: transactions on a SQLite file in which a claim is looked up, for the processes of one host. */

export type { FenceStatement } from "../sql/statement.js";
export type { SqlGuard } from "../sql/guard.js";
export type { TableNames } from "../sql/tables.js";
export type { SqliteDatabase, SqliteStatement } from "./database.js";
export { type SqliteGuardOptions, type SqliteHandle, sqliteGuard } from "./guard.js";
export { sqliteSchema } from "./schema.js";
