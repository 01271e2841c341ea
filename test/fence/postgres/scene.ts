/** A schema of its own on a running server, a ledger in it, and the clients that write to it. */

import pg from "pg";
import {
  postgresGuard,
  type PostgresGuardOptions,
  type PostgresHandle,
} from "../../../src/fence/postgres/index.js";

export interface Address {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

let schemas = 0;

export class Scene {
  readonly schema: string;
  readonly address: Address;
  /** Past every guard. */
  readonly admin: pg.Pool;
  readonly #pools: pg.Pool[] = [];

  private constructor(address: Address) {
    this.address = address;
    this.schema = `scene_${process.pid}_${(schemas += 1)}`;
    this.admin = this.pool({ max: 4 });
  }

  static async open(address: Address): Promise<Scene> {
    const scene = new Scene(address);
    await scene.admin.query(
      `CREATE SCHEMA ${scene.schema};
       CREATE TABLE ${scene.schema}.ledger (n bigserial PRIMARY KEY, resource text, value text)`,
    );
    return scene;
  }

  get tables(): Required<NonNullable<PostgresGuardOptions["tables"]>> {
    const { schema } = this;
    return { fence: `${schema}.fence`, attempt: `${schema}.attempt`, operation: `${schema}.operation` };
  }

  /** Closed with the scene. */
  pool(options: pg.PoolConfig = {}): pg.Pool {
    const pool = new pg.Pool({ ...this.address, max: 20, ...options });
    // Servers are killed under these.
    pool.on("error", () => {});
    this.#pools.push(pool);
    return pool;
  }

  guard(pool: pg.Pool, options: Partial<PostgresGuardOptions> = {}) {
    return postgresGuard(pool, { resource: "ledger", create: true, tables: this.tables, ...options });
  }

  /** The write of the suite: puts `value` behind what is there. */
  async put(
    tx: { query(text: string, values: unknown[]): Promise<unknown> },
    resource: string,
    value: string,
  ): Promise<void> {
    await tx.query(`INSERT INTO ${this.schema}.ledger (resource, value) VALUES ($1, $2)`, [
      JSON.stringify(resource),
      JSON.stringify(value),
    ]);
  }

  async content(resource = "ledger", from: pg.Pool | pg.PoolClient = this.admin): Promise<readonly string[]> {
    const { rows } = await from.query<{ value: string }>(
      `SELECT value FROM ${this.schema}.ledger WHERE resource = $1 ORDER BY n`,
      [JSON.stringify(resource)],
    );
    return rows.map(({ value }) => JSON.parse(value) as string);
  }

  /** Tables of the guard and of the data that stand. */
  async standing(): Promise<readonly string[]> {
    const { rows } = await this.admin.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1",
      [this.schema],
    );
    return rows.map(({ name }) => name).filter((name) => !name.startsWith("copy_"));
  }

  async close(): Promise<void> {
    await this.admin.query(`DROP SCHEMA ${this.schema} CASCADE`);
    await Promise.all(this.#pools.map(async (pool) => pool.end()));
  }
}

export type PgHandle = PostgresHandle<pg.PoolClient>;
