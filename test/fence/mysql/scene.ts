/** A database of its own on a running server, a ledger in it, and the pools that write to it. */

import mysql from "mysql2";
import promised from "mysql2/promise";
import { mysqlGuard, type MysqlGuardOptions } from "../../../src/fence/mysql/index.js";

/** What the body of a transaction is given, whichever form the pool has. */
export type Tx = mysql.PoolConnection | promised.PoolConnection;

type AnyPool = mysql.Pool | promised.Pool;

/** Pools of `mysql2/promise`, and those of `mysql2` that allow several statements in one message. */
export const forms = ["promises", "callbacks"] as const;
export type Form = (typeof forms)[number];

let databases = 0;

export class Scene {
  readonly database: string;
  readonly url: string;
  /** Past every guard. */
  readonly admin: promised.Pool;
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(url: string) {
    this.url = url;
    this.database = `scene_${process.pid}_${(databases += 1)}`;
    this.admin = this.pool({ connectionLimit: 4, multipleStatements: true });
  }

  static async open(url: string): Promise<Scene> {
    const scene = new Scene(url);
    await scene.admin.query(
      `CREATE DATABASE ${scene.database};
       CREATE TABLE ${scene.database}.ledger
         (n BIGINT AUTO_INCREMENT PRIMARY KEY, resource TEXT, value TEXT) CHARACTER SET utf8mb4`,
    );
    return scene;
  }

  get tables(): Required<NonNullable<MysqlGuardOptions["tables"]>> {
    const { database } = this;
    return {
      fence: `${database}.fence`,
      attempt: `${database}.attempt`,
      operation: `${database}.operation`,
      act: `${database}.act`,
    };
  }

  /** Closed with the scene. */
  pool(options: promised.PoolOptions = {}): promised.Pool {
    const pool = promised.createPool({ uri: this.url, connectionLimit: 20, ...options });
    this.#closing.push(async () => pool.end());
    return pool;
  }

  /** Closed with the scene. */
  client(form: Form, url = this.url): AnyPool {
    if (form === "promises") return this.pool({ uri: url });
    const pool = mysql.createPool({ uri: url, connectionLimit: 20, multipleStatements: true });
    this.#closing.push(async () => pool.promise().end());
    return pool;
  }

  guard<C extends AnyPool>(client: C, options: Partial<MysqlGuardOptions> = {}) {
    return mysqlGuard(client, { resource: "ledger", create: true, tables: this.tables, ...options });
  }

  /** The write of the suite: puts `value` behind what is there. */
  async put(tx: Tx | promised.Pool, value: string, resource = "ledger"): Promise<void> {
    await run(tx, `INSERT INTO ${this.database}.ledger (resource, value) VALUES (?, ?)`, [
      JSON.stringify(resource),
      JSON.stringify(value),
    ]);
  }

  /** The values in effect, in their order. */
  async content(resource = "ledger", from: Tx | promised.Pool = this.admin): Promise<readonly string[]> {
    const text = `SELECT value FROM ${this.database}.ledger WHERE BINARY resource = ? ORDER BY n`;
    const rows = await run(from, text, [JSON.stringify(resource)]);
    return rows.map(({ value }) => JSON.parse(String(value)) as string);
  }

  /** Tables of the guard and of the data that stand. */
  async standing(): Promise<readonly string[]> {
    const text = "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?";
    const rows = await run(this.admin, text, [this.database]);
    return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith("copy_"));
  }

  /** Resolves when so many transactions of the server wait for a row. */
  async waiting(count: number): Promise<void> {
    for (;;) {
      // `innodb_trx` is a copy, which is not renewed while it is looked at again and again.
      const [row] = await run(this.admin, "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'");
      if (Number(row?.["Value"]) >= count) return;
    }
  }

  async close(): Promise<void> {
    await this.admin.query(`DROP DATABASE ${this.database}`);
    await this.end();
  }

  /** The clients alone, where the server ends anyway. */
  async end(): Promise<void> {
    await Promise.all(this.#closing.map(async (close) => close()));
  }
}

/** The server's number of the session behind a transaction. */
export async function sessionOf(tx: Tx): Promise<number> {
  const [row] = await run(tx, "SELECT connection_id() AS session", []);
  return Number(row?.["session"]);
}

type Row = Readonly<Record<string, unknown>>;

/** One statement, whichever form. */
export async function run(
  from: Tx | AnyPool,
  text: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const promising = from as { promise?: () => promised.Connection };
  const client =
    typeof promising.promise === "function" ? promising.promise() : (from as promised.Connection);
  const [rows] = await client.query<promised.RowDataPacket[]>(text, [...values]);
  return Array.isArray(rows) ? rows : [];
}
