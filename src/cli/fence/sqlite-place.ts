/** The tables of guards in a SQLite file. */

import { existsSync } from "node:fs";
import { createError } from "../../errors/index.js";
import { type SqliteDatabase, sqliteGuard } from "../../fence/sqlite/index.js";
import { lookAtFile } from "../../fence/sqlite/overview.js";
import { quote } from "../../fence/sqlite/schema.js";
import { resolveTables } from "../../fence/sql/tables.js";
import { verifyFence } from "../../fence/verify/index.js";
import { importFirst } from "./client.js";
import type { GuardPlace, PlaceOptions } from "./place.js";
import { seenIn } from "./tables-seen.js";

type Opened = SqliteDatabase & { close(): unknown };

interface Module {
  /** better-sqlite3. */
  readonly default?: new (
    file: string,
    options: object,
  ) => Opened;
  /** node:sqlite. */
  readonly DatabaseSync?: new (
    file: string,
  ) => Opened;
}

export async function openSqlite(file: string, { tables: names }: PlaceOptions): Promise<GuardPlace> {
  if (!existsSync(file)) throw createError("GUARD_FAILED", `there is no file ${file}`);
  const database = open(
    (await importFirst<Module>(["better-sqlite3", "node:sqlite"], "a guard on SQLite")).module,
    file,
  );
  const tables = resolveTables(names, quote);
  const guard = (resource: string) => sqliteGuard(database, { resource, tables: names });
  return {
    holds: "tables",
    look: async (resource) => seenIn(lookAtFile(database, tables, resource)),
    operator: (resource) => guard(resource).operator,
    verify: async () => verifyFence(guard),
    close: async () => void database.close(),
  };
}

function open({ DatabaseSync, default: Better }: Module, file: string): Opened {
  try {
    if (DatabaseSync !== undefined) return new DatabaseSync(file);
    if (Better !== undefined) return new Better(file, { timeout: 0, fileMustExist: true });
  } catch (cause) {
    throw createError("GUARD_FAILED", `${file} cannot be opened`, { cause });
  }
  throw createError("GUARD_FAILED", "the client of SQLite that is installed opens nothing");
}
