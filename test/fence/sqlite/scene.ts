/** A SQLite file with a ledger in it, and databases that have it open in processes of their own. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SqliteGuardOptions, sqliteGuard } from "../../../src/fence/sqlite/index.js";
import { type ClientName, openRemote, type RemoteDatabase } from "./remote.js";

export class SqliteScene {
  readonly client: ClientName;
  readonly #folder = mkdtempSync(join(tmpdir(), "tenure-sqlite-"));
  readonly file: string = join(this.#folder, "data.db");
  readonly #opened: RemoteDatabase[] = [];
  /** Past every guard. */
  readonly admin: RemoteDatabase;

  constructor(client: ClientName = "node:sqlite") {
    this.client = client;
    this.admin = this.database();
    this.admin.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE ledger (n INTEGER PRIMARY KEY, resource TEXT, value TEXT)",
    );
  }

  /** Another process that uses the file. Closed with the scene. */
  database(): RemoteDatabase {
    const database = openRemote(this.file, this.client);
    this.#opened.push(database);
    return database;
  }

  guard(
    database: RemoteDatabase,
    options: Partial<SqliteGuardOptions> = {},
  ): ReturnType<typeof sqliteGuard<RemoteDatabase>> {
    return sqliteGuard(database, { resource: "ledger", create: true, ...options });
  }

  /** Puts `value` behind what is there. */
  put(database: RemoteDatabase, value: string, resource = "ledger"): void {
    database.prepare("INSERT INTO ledger (resource, value) VALUES (?, ?)").run(resource, value);
  }

  /** The values in effect, in their order. */
  content(resource = "ledger"): readonly string[] {
    const rows = this.admin.prepare("SELECT value FROM ledger WHERE resource = ? ORDER BY n").all(resource);
    return (rows as { readonly value: string }[]).map(({ value }) => value);
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map(async (database) => database.close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
