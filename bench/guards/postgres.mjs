/**
 * The PostgreSQL guard through pg and through postgres.js, against `BEGIN`, the same statements and `COMMIT` on the same
 * client, on a server of its own with its usual durability, with commits that wait for the disk and without.
 */

import pg from "pg";
import postgres from "postgres";
import { postgresGuard } from "tenure/fence/postgres";
import { loadServers } from "../../test/servers/load.mjs";
import { accounts, bodies, insertAccount, schema } from "./bodies.mjs";
import { cpuOfTree } from "./cpu.mjs";
import { measureGuard, together } from "./measure.mjs";
import { openTerms } from "./terms.mjs";

const targetPercent = 10;
const connections = 18;
/** As much memory and log as a small server has: the harness starts with less. */
const config = { shared_buffers: "128MB", min_wal_size: "80MB", max_wal_size: "1GB" };

/** @typedef {(typeof bodies)[keyof typeof bodies]} Body */

/**
 * @typedef {object} Driver
 * @property {(url: string, sync: string) => Client} open
 * @property {string} name
 */

/**
 * @typedef {object} Client
 * @property {(resource: string, body: Body) => Promise<Pick<import("./measure.mjs").Contest, "bare" | "guarded" | "claim">>} contest
 * @property {() => Promise<void>} close
 */

/** @type {Driver} */
export const pgDriver = {
  name: "pg",
  open(connectionString, sync) {
    const pool = new pg.Pool({
      connectionString,
      max: connections,
      options: `-c synchronous_commit=${sync}`,
    });
    /**
     * @param {pg.PoolClient} client
     * @param {Body} body
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

/** @type {Driver} */
export const postgresJsDriver = {
  name: "postgres.js",
  open(url, sync) {
    const sql = postgres(url, {
      max: connections,
      onnotice: () => {},
      connection: { synchronous_commit: sync },
    });
    /**
     * @param {postgres.TransactionSql} transaction
     * @param {Body} body
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

/**
 * @param {import("../run.mjs").Context} context
 * @param {Driver} driver
 * @returns {Promise<import("../run.mjs").Measured>}
 */
export async function measurePostgresGuard({ plan, session, say }, { name, open }) {
  const server = await (await loadServers()).startPostgres({ durable: true, config });
  const serverCpuUs = () => cpuOfTree(server.pid);
  const measured = [];
  try {
    for (const text of schema) await server.query(text);
    for (const id of accounts) await server.query(numbered(insertAccount), [id]);
    for (const sync of ["on", "off"]) {
      const client = open(server.url, sync);
      try {
        for (const [what, body] of Object.entries(bodies)) {
          say(`${name}, synchronous_commit ${sync}, ${what}`);
          const title = `${name}, sync ${sync}, ${what}`;
          const contest = await client.contest(title, body);
          const about = { name: title, targetPercent, many: true, serverCpuUs };
          measured.push(await measureGuard({ ...about, ...contest }, plan.guards, session.pause));
        }
      } finally {
        await client.close();
      }
    }
    return together(measured);
  } finally {
    await server.stop();
  }
}

/** @param {string} text with `?` where values belong */
function numbered(text) {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}
