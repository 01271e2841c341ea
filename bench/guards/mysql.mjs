/** The MySQL guard through mysql2, on MariaDB: with a log that is flushed at each commit, and about once a second. */

import mysql from "mysql2/promise";
import { mysqlGuard } from "tenure/fence/mysql";
import { connections } from "./server.mjs";
import { openTerms } from "./terms.mjs";

/** As much memory and log as a small server has: the harness starts with less. */
const config = { "innodb-buffer-pool-size": "128M" };

/** @type {import("./server.mjs").Driver} */
export const mysqlDriver = {
  name: "mysql2",
  syncs: ["1", "0"],
  start: (servers) => servers.startMariadb({ durable: true, config }),
  text: (text) => text,
  async open(server, sync) {
    await server.query(`SET GLOBAL innodb_flush_log_at_trx_commit = ${sync}`);
    const pool = mysql.createPool({ uri: server.url, connectionLimit: connections });
    /**
     * @param {mysql.PoolConnection} client
     * @param {import("./server.mjs").Body} body
     * @param {number} writer
     */
    const perform = async (client, body, writer) => {
      for (const { text, values } of body) await client.execute(text, values(writer));
    };
    return {
      async contest(resource, body) {
        const { handle, claim } = await openTerms(mysqlGuard(pool, { resource, create: true }));
        return {
          async bare(writer) {
            const client = await pool.getConnection();
            await client.query("START TRANSACTION");
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
