/**
 * The set in a PostgreSQL server that the run starts for itself, each client behind a proxy of its own.
 *
 * Both forms use the same tables, the same statements and `read committed`. Before the verdict the server is
 * killed and started again, so that what counts is what it recovers.
 */

import { mkdir } from "node:fs/promises";
import process from "node:process";
import pg from "pg";
import { postgresGuard } from "tenure/fence/postgres";
import { loadServers } from "../../test/servers/load.mjs";
import { WriteFailure, resource } from "./place.mjs";
import { parsed, readTables, statements, writeTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/postgres").PostgresHandle<pg.PoolClient>} Handle */

const variable = "TENURE_TORTURE_POSTGRES";
/** And not the isolation level. */
const commit = /\bCOMMIT\b/;
const schema = [
  "CREATE TABLE torture_set (id integer PRIMARY KEY, elements text NOT NULL)",
  "INSERT INTO torture_set VALUES (1, '[]')",
  `CREATE TABLE torture_log (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, element text NOT NULL,
  token bigint NOT NULL, elements text NOT NULL)`,
];

/** @type {import("./place.mjs").SetPlace} */
export const postgresPlace = {
  about: "in PostgreSQL",
  faults: ["inside", "cut", "double"],
  async open(_form, path, nodes) {
    await mkdir(path);
    const server = await (await loadServers()).startPostgres();
    for (const text of schema) await server.query(text);
    const proxies = new Map(
      await Promise.all(nodes.map(async (node) => /** @type {const} */ ([node, await server.proxy()]))),
    );
    return {
      execPath: undefined,
      environment: (node) => ({ [variable]: proxies.get(node)?.url ?? server.url }),
      cut(node, delivered) {
        const matching = (/** @type {Buffer} */ message) => commit.test(message.toString("latin1"));
        const fault = proxies.get(node)?.resetEvery(1, { of: "requests", delivered, matching, times: 1 });
        return {
          async end() {
            await fault?.end();
            return fault?.count === 1;
          },
        };
      },
      async collect() {
        await server.restart({ data: "kept" });
        const [row] = await server.query(statements.read);
        await writeTables(path, {
          elements: String(row?.["elements"]),
          log: await server.query(statements.appended),
        });
      },
      async close() {
        for (const proxy of proxies.values()) await proxy.close();
        await server.stop();
      },
    };
  },
  async enterFenced() {
    const pool = openPool();
    return {
      guard: postgresGuard(pool, { resource, create: true }),
      read: (/** @type {Handle} */ handle) => handle.read(readSet),
      write: (/** @type {Handle} */ handle, change, options) =>
        handle.transaction((client) => writeSet(client, change), options),
      close: () => pool.end(),
    };
  },
  async enterPlain() {
    const pool = openPool();
    return {
      read: () => readSet(pool),
      write: (change) => writePlain(pool, change),
      close: () => pool.end(),
    };
  },
  read: (_form, path) => readTables(path),
};

function openPool() {
  const pool = new pg.Pool({ connectionString: process.env[variable], max: 4 });
  // A connection that was reset while nobody used it; the next query takes another.
  pool.on("error", (cause) => console.error("an idle connection ended", cause.message));
  return pool;
}

/** @param {pg.Pool | pg.PoolClient} client */
async function readSet(client) {
  /** @type {pg.QueryResult<{ elements: string }>} */
  const { rows } = await client.query(statements.read);
  return parsed(rows[0]?.elements);
}

/**
 * @param {pg.PoolClient} client
 * @param {import("./place.mjs").Change} change
 */
async function writeSet(client, { next, element, token, inside }) {
  const elements = JSON.stringify(next);
  try {
    await client.query(numbered(statements.write), [elements]);
    inside();
    await client.query(numbered(statements.append), [element, token, elements]);
  } catch (cause) {
    // What is thrown in the middle commits nothing.
    throw new WriteFailure("definite", cause);
  }
}

/**
 * @param {pg.Pool} pool
 * @param {import("./place.mjs").Change} change
 */
async function writePlain(pool, change) {
  let broken = true;
  let committing = false;
  const client = await definitely(pool.connect());
  const hear = (/** @type {Error} */ cause) => console.error("a connection ended", cause.message);
  client.on("error", hear);
  try {
    await definitely(client.query("BEGIN ISOLATION LEVEL READ COMMITTED"));
    await writeSet(client, change);
    committing = true;
    await client.query("COMMIT");
    broken = false;
  } catch (cause) {
    throw committing ? new WriteFailure("unknown", cause) : cause;
  } finally {
    client.removeListener("error", hear);
    client.release(broken);
  }
}

/**
 * @template T
 * @param {Promise<T>} promise of what commits nothing
 */
async function definitely(promise) {
  return promise.catch((cause) => {
    throw new WriteFailure("definite", cause);
  });
}

/** @param {string} text with `?` where values belong */
function numbered(text) {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}
