/** What opens transactions by itself: clients and ORMs, each with the function that docs/guards/postgres.md shows for it. */

import { drizzle } from "drizzle-orm/node-postgres";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { DataSource } from "typeorm";
import type { PostgresHandle } from "../../../src/fence/postgres/index.js";
import { createPrismaClient } from "../../servers/prisma.js";
import { moduleOf, type Modules } from "../orms/snippets.js";

export interface Orm {
  /** Marks an invoice as sent, in a transaction of the ORM's own that begins with the statement. */
  send(ledger: Pick<PostgresHandle<unknown>, "statement" | "refusalOf">, id: string): Promise<void>;
  close(): Promise<unknown>;
}

interface Client {
  readonly db: unknown;
  close(): Promise<unknown>;
}

/** `mark`: what its snippet has and no other. */
interface Way {
  readonly mark: string;
  /** When the server ends its session it throws where nobody can catch it: that is for a process of its own. */
  readonly endsProcess?: true;
  open(url: string): Promise<Client> | Client;
}

export const orms: Readonly<Record<string, Way>> = {
  kysely: {
    mark: 'from "kysely"',
    open(url) {
      const db = new Kysely({ dialect: new PostgresDialect({ pool: poolOf(url) }) });
      return { db, close: async () => db.destroy() };
    },
  },
  drizzle: {
    mark: 'from "drizzle-orm"',
    open(url) {
      const pool = poolOf(url);
      return { db: drizzle(pool), close: async () => pool.end() };
    },
  },
  typeorm: {
    mark: 'from "typeorm"',
    async open(url) {
      const db = new DataSource({ type: "postgres", url, poolErrorHandler: () => {} });
      await db.initialize();
      return { db, close: async () => db.destroy() };
    },
  },
  prisma: {
    mark: "PrismaClient",
    open(url) {
      const db = createPrismaClient(url);
      return { db, close: async () => db.$disconnect() };
    },
  },
  "postgres.js": {
    mark: 'from "postgres"',
    endsProcess: true,
    open(url) {
      const db = postgres(url, { onnotice: () => {}, backoff: () => 0.05 });
      return { db, close: async () => db.end({ timeout: 1 }) };
    },
  },
  pg: {
    mark: 'from "pg"',
    open(url) {
      const db = poolOf(url);
      return { db, close: async () => db.end() };
    },
  },
};

/** As the page says: servers end the sessions of these, in use and idle. */
function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  pool.on("connect", (connection) => connection.on("error", () => {}));
  return pool;
}

/** The ORM `name` at `url`, whose tables are those of `schema`. */
export async function openOrm(modules: Modules, name: string, url: string, schema: string): Promise<Orm> {
  const way = orms[name];
  if (way === undefined) throw new Error(`no ORM is called ${name}`);
  const code = moduleOf("docs/guards/postgres.md", way.mark);
  const { send } = await modules.load<{
    send: (db: unknown, ...rest: Parameters<Orm["send"]>) => Promise<void>;
  }>(`${name}.mjs`, code);
  const { db, close } = await way.open(`${url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`);
  return { send: async (ledger, id) => send(db, ledger, id), close };
}
