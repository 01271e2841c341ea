/** Journals in a schema of their own on a running server. */

import type pg from "pg";
import type postgres from "postgres";
import {
  type PostgresJournalOptions,
  postgresJournal,
  type SqlJournal,
} from "../../../src/journal/postgres/index.js";
import type { ClientName, Scene, Tx } from "../../fence/postgres/scene.js";
import type { Entry, State } from "../scene.js";

export type Names = Required<NonNullable<PostgresJournalOptions["tables"]>>;

export function tablesIn(scene: Scene): Names {
  const { schema } = scene;
  return {
    ...scene.tables,
    journal: `${schema}.journal`,
    entry: `${schema}.entry`,
    state: `${schema}.state`,
  };
}

export function journalIn<C extends pg.Pool | postgres.Sql>(
  scene: Scene,
  client: C,
  options: Partial<PostgresJournalOptions> = {},
): SqlJournal<Tx, Entry, State> {
  const given = { resource: "log", create: true, tables: tablesIn(scene), ...options };
  return postgresJournal<C, Entry, State>(client, given) as SqlJournal<Tx, Entry, State>;
}

export function through(
  scene: Scene,
  name: ClientName,
  options: Partial<PostgresJournalOptions> = {},
): SqlJournal<Tx, Entry, State> {
  return journalIn(scene, scene.client(name), options);
}
