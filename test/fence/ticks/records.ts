/** Records of ticks, as docs/once-per-tick.md shows them. */

import type { PoolConnection, RowDataPacket } from "mysql2/promise";
import type { PoolClient } from "pg";
import type { TransactionSql } from "postgres";
import type { TickRecord } from "../../../src/fence/index.js";
import type { ValueTransaction } from "../../../src/fence/memory/index.js";
import type { RedisTransaction } from "../../../src/fence/redis/index.js";
import type { SqliteDatabase } from "../../../src/fence/sqlite/index.js";

interface InSql<Tx> {
  readonly table: string;
  readonly record: TickRecord<Tx>;
}

interface Row {
  readonly record: string;
}

export interface Value {
  ticks: string | null;
  lines: readonly string[];
}

export const ofValue: TickRecord<ValueTransaction<Value>> = {
  read: (tx) => tx.value.ticks,
  write: (tx, _schedule, record) => void (tx.value.ticks = record),
};

export function ofRedis(prefix: string): TickRecord<RedisTransaction> {
  return {
    read: async (tx, schedule) => tx.get(`${prefix}:${schedule}`),
    write: (tx, schedule, record) => tx.set(`${prefix}:${schedule}`, record),
  };
}

export const ofSqlite: InSql<SqliteDatabase> = {
  table: "CREATE TABLE tick_record (schedule TEXT PRIMARY KEY, record TEXT NOT NULL)",
  record: {
    read(tx, schedule) {
      const rows = tx.prepare("SELECT record FROM tick_record WHERE schedule = ?").all(schedule);
      return (rows as readonly Row[])[0]?.record;
    },
    write: (tx, schedule, record) =>
      tx.prepare("INSERT OR REPLACE INTO tick_record VALUES (?, ?)").run(schedule, record),
  },
};

export const ofPostgres: InSql<PoolClient> = {
  table: "CREATE TABLE tick_record (schedule text PRIMARY KEY, record text NOT NULL)",
  record: {
    async read(tx, schedule) {
      const text = "SELECT record FROM tick_record WHERE schedule = $1";
      return (await tx.query<Row>(text, [schedule])).rows[0]?.record;
    },
    async write(tx, schedule, record) {
      const text = `INSERT INTO tick_record VALUES ($1, $2)
                    ON CONFLICT (schedule) DO UPDATE SET record = excluded.record`;
      await tx.query(text, [schedule, record]);
    },
  },
};

export const ofPostgresJs: InSql<TransactionSql> = {
  table: ofPostgres.table,
  record: {
    async read(tx, schedule) {
      return (await tx<Row[]>`SELECT record FROM tick_record WHERE schedule = ${schedule}`)[0]?.record;
    },
    async write(tx, schedule, record) {
      await tx`INSERT INTO tick_record VALUES (${schedule}, ${record})
               ON CONFLICT (schedule) DO UPDATE SET record = excluded.record`;
    },
  },
};

export const ofMysql: InSql<PoolConnection> = {
  table: "CREATE TABLE tick_record (schedule VARCHAR(200) PRIMARY KEY, record MEDIUMTEXT NOT NULL)",
  record: {
    async read(tx, schedule) {
      const text = "SELECT record FROM tick_record WHERE schedule = ?";
      return (await tx.query<(Row & RowDataPacket)[]>(text, [schedule]))[0][0]?.record;
    },
    async write(tx, schedule, record) {
      await tx.query("REPLACE INTO tick_record VALUES (?, ?)", [schedule, record]);
    },
  },
};
