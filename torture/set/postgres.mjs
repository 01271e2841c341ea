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
import { definitely, resource, WriteFailure } from "./place.mjs";
import { openServer } from "./server.mjs";
import { parsed, readTables, statements } from "./tables.mjs";

/** @typedef {import("tenure/fence/postgres").PostgresHandle<pg.PoolClient>} Handle */

const variable = "TENURE_TORTURE_POSTGRES";
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
    return openServer(await (await loadServers()).startPostgres(), { path, nodes, variable, schema });
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
  // What is thrown in the middle commits nothing.
  await definitely(client.query(numbered(statements.write), [elements]));
  inside();
  await definitely(client.query(numbered(statements.append), [element, token, elements]));
}

/**
 * @param {pg.Pool} pool
 * @param {import("./place.mjs").Change} change
 */
async function writePlain(pool, change) {
  let whole = false;
  const client = await definitely(pool.connect());
  const hear = (/** @type {Error} */ cause) => console.error("a connection ended", cause.message);
  client.on("error", hear);
  try {
    await definitely(client.query("BEGIN ISOLATION LEVEL READ COMMITTED"));
    await writeSet(client, change);
    await client.query("COMMIT").catch((cause) => {
      throw new WriteFailure("unknown", cause);
    });
    whole = true;
  } finally {
    client.removeListener("error", hear);
    client.release(!whole);
  }
}

/** @param {string} text with `?` where values belong */
function numbered(text) {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}
