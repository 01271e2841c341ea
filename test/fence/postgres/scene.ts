/** A schema of its own on a running server, a ledger in it, and the clients that write to it. */

import pg from "pg";
import postgres from "postgres";
import { postgresGuard, type PostgresGuardOptions } from "../../../src/fence/postgres/index.js";

/** What the body of a transaction is given, whichever client it comes from. */
export type Tx = pg.PoolClient | postgres.TransactionSql;

export type ClientName = "pg" | "postgres.js";

let schemas = 0;

export class Scene {
  readonly schema: string;
  readonly url: string;
  /** Past every guard. */
  readonly admin: pg.Pool;
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(url: string) {
    this.url = url;
    this.schema = `scene_${process.pid}_${(schemas += 1)}`;
    this.admin = this.pool({ max: 4 });
  }

  static async open(url: string): Promise<Scene> {
    const scene = new Scene(url);
    await scene.admin.query(
      `CREATE SCHEMA ${scene.schema};
       CREATE TABLE ${scene.schema}.ledger (n bigserial PRIMARY KEY, resource text, value text)`,
    );
    return scene;
  }

  get tables(): Required<NonNullable<PostgresGuardOptions["tables"]>> {
    const { schema } = this;
    const [fence, attempt] = [`${schema}.fence`, `${schema}.attempt`];
    return { fence, attempt, operation: `${schema}.operation`, act: `${schema}.act` };
  }

  /** Closed with the scene. */
  pool(options: pg.PoolConfig = {}): pg.Pool {
    const pool = new pg.Pool({ connectionString: this.url, max: 20, ...options });
    // Servers are killed under these.
    pool.on("error", () => {});
    this.#closing.push(async () => pool.end());
    return pool;
  }

  /** Closed with the scene. */
  sql(options: postgres.Options<Record<string, never>> = {}, url = this.url): postgres.Sql {
    const sql = postgres(url, { max: 20, backoff: () => 0.05, onnotice: () => {}, ...options });
    this.#closing.push(async () => sql.end({ timeout: 1 }));
    return sql;
  }

  /** Statements are sent as text each time, so that a proxy can tell them apart. */
  client(name: ClientName, url = this.url): pg.Pool | postgres.Sql {
    return name === "pg" ? this.pool({ connectionString: url }) : this.sql({ prepare: false }, url);
  }

  guard<C extends pg.Pool | postgres.Sql>(client: C, options: Partial<PostgresGuardOptions> = {}) {
    return postgresGuard(client, { resource: "ledger", create: true, tables: this.tables, ...options });
  }

  /** The write of the suite: puts `value` behind what is there. */
  async put(tx: Tx, value: string, resource = "ledger"): Promise<void> {
    await run(tx, `INSERT INTO ${this.schema}.ledger (resource, value) VALUES ($1, $2)`, [
      JSON.stringify(resource),
      JSON.stringify(value),
    ]);
  }

  /** The values in effect, in their order. */
  async content(resource = "ledger", from: Tx | pg.Pool = this.admin): Promise<readonly string[]> {
    const text = `SELECT value FROM ${this.schema}.ledger WHERE resource = $1 ORDER BY n`;
    const rows = await run(from, text, [JSON.stringify(resource)]);
    return rows.map(({ value }) => JSON.parse(value ?? "") as string);
  }

  /** Tables of the guard and of the data that stand. */
  async standing(): Promise<readonly string[]> {
    const text = "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1";
    const rows = await run(this.admin, text, [this.schema]);
    return rows.map(({ name }) => name ?? "").filter((name) => !name.startsWith("copy_"));
  }

  /** Resolves when so many sessions of the server wait for a lock. */
  async waiting(count: number): Promise<void> {
    for (;;) {
      const text = "SELECT count(*)::text AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      const [row] = await run(this.admin, text, []);
      if (Number(row?.["waiting"]) >= count) return;
    }
  }

  /**
   * The share of acts that left nothing of the server's log to be written. Not all need be: vacuum and checkpoints write to
   * it as well, and may come between an act and the look.
   */
  async durableShare(acts: number, act: (number: number) => Promise<unknown>): Promise<number> {
    const text = "SELECT (pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn())::text AS behind";
    let durable = 0;
    for (let number = 1; number <= acts; number += 1) {
      await act(number);
      const [row] = await run(this.admin, text, []);
      if (row?.["behind"] === "0") durable += 1;
    }
    return durable / acts;
  }

  async close(): Promise<void> {
    await this.admin.query(`DROP SCHEMA ${this.schema} CASCADE`);
    await this.end();
  }

  /** The clients alone, where the server ends anyway. */
  async end(): Promise<void> {
    await Promise.all(this.#closing.map(async (close) => close()));
  }
}

/** The server's process behind a transaction. */
export async function pidOf(tx: Tx): Promise<number> {
  const [row] = await run(tx, "SELECT pg_backend_pid()::text AS pid", []);
  return Number(row?.["pid"]);
}

type TextRow = Readonly<Record<string, string | undefined>>;

/** One statement, whichever client. */
export async function run(
  from: Tx | pg.Pool,
  text: string,
  values: readonly string[],
): Promise<readonly TextRow[]> {
  if (typeof from === "function") return from.unsafe<TextRow[]>(text, [...values]);
  return (await from.query<TextRow>(text, [...values])).rows;
}
