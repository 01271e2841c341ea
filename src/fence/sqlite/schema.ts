/** The tables, as SQLite is told to make them. */

import { resolveTables, type TableNames, type Tables } from "../sql/tables.js";

export function quote(name: string): string {
  return `"${name}"`;
}

export function schema({ fence, attempt, operation, act }: Tables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${fence} (
  id TEXT PRIMARY KEY NOT NULL,
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  election TEXT NOT NULL,
  v INTEGER NOT NULL,
  generation TEXT NOT NULL,
  lineage TEXT NOT NULL,
  watermark INTEGER NOT NULL,
  owner TEXT NOT NULL
)`,
    `CREATE TABLE IF NOT EXISTS ${attempt} (
  fence TEXT NOT NULL,
  slot INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  op TEXT,
  returned INTEGER NOT NULL,
  result TEXT,
  PRIMARY KEY (fence, slot),
  UNIQUE (fence, op)
)`,
    `CREATE TABLE IF NOT EXISTS ${operation} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  resource TEXT NOT NULL,
  op TEXT NOT NULL,
  returned INTEGER NOT NULL,
  result TEXT,
  UNIQUE (resource, op)
)`,
    `CREATE TABLE IF NOT EXISTS ${act} (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  done INTEGER NOT NULL,
  kind TEXT NOT NULL,
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  election TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  earlier TEXT NOT NULL,
  later TEXT
)`,
  ];
}

/** One statement per table, each harmless where the table stands already. */
export function sqliteSchema(tables?: TableNames): readonly string[] {
  return schema(resolveTables(tables, quote));
}
