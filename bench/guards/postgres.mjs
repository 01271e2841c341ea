/**
 * The PostgreSQL guard through pg and through postgres.js, against `BEGIN`, the same statements and `COMMIT` on the same
 * client, on a server of its own with its usual durability, with commits that wait for the disk and without.
 */

import pg from "pg";
import postgres from "postgres";
import { postgresGuard } from "tenure/fence/postgres";
import { connections } from "./server.mjs";
import { openTerms } from "./terms.mjs";

/** As much memory and log as a small server has: the harness starts with less. */
const config = { shared_buffers: "128MB", min_wal_size: "80MB", max_wal_size: "1GB" };

const shared = {
  syncs: ["on", "off"],
  start: (/** @type {import("./server.mjs").Servers} */ servers) =>
    servers.startPostgres({ durable: true, config }),
  text: numbered,
};

/** @type {import("./server.mjs").Driver} */
export const pgDriver = {
  ...shared,
  name: "pg",
  async open(server, sync) {
    const pool = new pg.Pool({
      connectionString: server.url,
      max: connections,
      options: `-c synchronous_commit=${sync}`,
    });
    /**
     * @param {pg.PoolClient} client
     * @param {import("./server.mjs").Body} body
     * @param {number} writer
     */
    const perform = async (client, body, writer) => {
      for (const { text, values } of body) await client.query(numbered(text), values(writer));
    };
    return {
      async contest(resource, body) {
        const { handle, claim } = await openTerms(postgresGuard(pool, { resource, create: true }));
        return {
          async bare(writer) {
            const client = await pool.connect();
            await client.query("BEGIN");
            await perform(client, body, writer);
            await client.query("COMMIT");
            client.release();
          },
          guarded: (writer) => handle().transaction((client) => perform(client, body, writer)),
          claim,
        };
      },
      close: () => pool.end(),
    };
  },
};

/** @type {import("./server.mjs").Driver} */
export const postgresJsDriver = {
  ...shared,
  name: "postgres.js",
  async open(server, sync) {
    const sql = postgres(server.url, {
      max: connections,
      onnotice: () => {},
      connection: { synchronous_commit: sync },
    });
    /**
     * @param {postgres.TransactionSql} transaction
     * @param {import("./server.mjs").Body} body
     * @param {number} writer
     */
    const perform = async (transaction, body, writer) => {
      for (const { text, values } of body)
        await transaction.unsafe(numbered(text), values(writer), { prepare: true });
    };
    return {
      async contest(resource, body) {
        const { handle, claim } = await openTerms(postgresGuard(sql, { resource, create: true }));
        return {
          bare: (writer) => sql.begin((transaction) => perform(transaction, body, writer)),
          guarded: (writer) => handle().transaction((transaction) => perform(transaction, body, writer)),
          claim,
        };
      },
      close: () => sql.end(),
    };
  },
};

/** @param {string} text with `?` where values belong */
function numbered(text) {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}
