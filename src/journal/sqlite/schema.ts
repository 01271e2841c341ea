/** The tables of a journal, as SQLite is told to make them. */

import { quote, schema as fenceSchema } from "../../fence/sqlite/schema.js";
import { type JournalTableNames, type JournalTables, resolveJournalTables } from "../sql/tables.js";

export function schema({ journal, entry, state }: JournalTables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${journal} (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  newest INTEGER NOT NULL,
  upto INTEGER NOT NULL
)`,
    `CREATE TABLE IF NOT EXISTS ${entry} (
  journal TEXT NOT NULL,
  idx INTEGER NOT NULL,
  token INTEGER NOT NULL,
  owner TEXT NOT NULL,
  op TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (journal, idx),
  UNIQUE (journal, op)
)`,
    `CREATE TABLE IF NOT EXISTS ${state} (
  journal TEXT PRIMARY KEY NOT NULL,
  body TEXT NOT NULL
)`,
  ];
}

/** One statement per table, those that fence the journal among them; each harmless where the table stands already. */
export function sqliteJournalSchema(tables?: JournalTableNames): readonly string[] {
  const resolved = resolveJournalTables(tables, quote);
  return [...fenceSchema(resolved), ...schema(resolved)];
}
