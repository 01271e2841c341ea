/** The tables of a journal, as PostgreSQL is told to make them. */

import { postgresDialect } from "../../fence/postgres/dialect.js";
import { type JournalTableNames, type JournalTables, resolveJournalTables } from "../sql/tables.js";

export function schema({ journal, entry, state }: JournalTables): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${journal} (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  newest bigint NOT NULL,
  upto bigint NOT NULL
)`,
    `CREATE TABLE IF NOT EXISTS ${entry} (
  journal text COLLATE "C" NOT NULL,
  idx bigint NOT NULL,
  token bigint NOT NULL,
  owner text NOT NULL,
  op text COLLATE "C" NOT NULL,
  body text,
  PRIMARY KEY (journal, idx),
  UNIQUE (journal, op)
)`,
    `CREATE TABLE IF NOT EXISTS ${state} (
  journal text COLLATE "C" PRIMARY KEY,
  body text NOT NULL
)`,
  ];
}

/** One statement per table, those that fence the journal among them; each harmless where the table stands already. */
export function postgresJournalSchema(tables?: JournalTableNames): readonly string[] {
  const resolved = resolveJournalTables(tables, (name) => postgresDialect.quote(name));
  return [...postgresDialect.schema(resolved), ...schema(resolved)];
}
