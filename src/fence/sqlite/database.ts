/**
 * The databases that may be handed in, by what they can do, and what their errors mean.
 *
 * better-sqlite3 names errors (`SQLITE_BUSY`), node:sqlite numbers them (`errcode`, whose low byte is the kind).
 */

import { createError, type TenureError } from "../../errors/index.js";
import type { Answer, SqlValue, Statement } from "../sql/session.js";

/** What is asked of a prepared statement. */
export interface SqliteStatement {
  all(...values: SqlValue[]): unknown[];
  run(...values: SqlValue[]): { readonly changes: number | bigint };
}

/** A `Database` of better-sqlite3, or a `DatabaseSync` of node:sqlite. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}

/** `busy`: somebody else holds the lock. `lost`: the disk failed, and nobody knows what it holds. */
export type SqliteFailure = "busy" | "lost" | "tables-missing" | "other";

/** @throws INVALID_OPTION that says what is missing. */
export function checkDatabase(database: SqliteDatabase): void {
  const parts: unknown = database;
  const isObject = typeof parts === "object" && parts !== null;
  for (const method of ["exec", "prepare"]) {
    if (isObject && typeof (parts as Readonly<Record<string, unknown>>)[method] === "function") continue;
    const wanted = "a Database of better-sqlite3, or a DatabaseSync of node:sqlite";
    throw createError("INVALID_OPTION", `database must be ${wanted}; it has no ${method}()`, {
      base: TypeError,
    });
  }
}

/** What was prepared, by its text: to prepare a statement takes longer than to run it. */
const prepared = new WeakMap<SqliteDatabase, Map<string, SqliteStatement>>();

/** More than a guard has; a database that serves many with tables of their own prepares the rest anew. */
const mostTexts = 64;

function prepare(database: SqliteDatabase, text: string): SqliteStatement {
  const known = prepared.get(database) ?? new Map<string, SqliteStatement>();
  const statement = known.get(text) ?? database.prepare(text);
  if (known.size < mostTexts) prepared.set(database, known.set(text, statement));
  return statement;
}

/** Throws the database's error. */
export function run(database: SqliteDatabase, { text, values = [], answer }: Statement): Answer {
  const statement = prepare(database, text);
  if (answer === "rows") {
    const rows = statement.all(...values) as Answer["rows"];
    return { rows, count: rows.length };
  }
  return { rows: [], count: Number(statement.run(...values).changes) };
}

const busy = 5;
const ioError = 10;

export function failureOf(error: unknown): SqliteFailure {
  if (typeof error !== "object" || error === null) return "other";
  const { code, errcode, message } = error as Readonly<Record<string, unknown>>;
  const kind = typeof errcode === "number" ? errcode & 0xff : undefined;
  const name = typeof code === "string" ? code : "";
  if (kind === busy || name.startsWith("SQLITE_BUSY")) return "busy";
  if (kind === ioError || name.startsWith("SQLITE_IOERR")) return "lost";
  return typeof message === "string" && message.startsWith("no such table") ? "tables-missing" : "other";
}

export function sqliteFailed(resource: string, cause: unknown): TenureError {
  const why = cause instanceof Error ? cause.message : "no error was given";
  if (failureOf(cause) !== "tables-missing") {
    return createError("GUARD_FAILED", `"${resource}" failed: ${why}`, { cause });
  }
  const advice = "print the schema of this guard and run it, or set create: true";
  const message = `"${resource}" has no tables to fence it: ${why}; ${advice}`;
  return createError("GUARD_TABLES_MISSING", message, { cause });
}
