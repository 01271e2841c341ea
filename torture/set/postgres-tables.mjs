/** The tables of a set in PostgreSQL, and a write to them in a transaction. */

import process from "node:process";
import pg from "pg";
import { definitely, WriteFailure } from "./place.mjs";
import { parsed, statements } from "./tables.mjs";

/** Of the environment: the URL of the server. */
export const postgresVariable = "TENURE_TORTURE_POSTGRES";

export const postgresTables = [
  "CREATE TABLE torture_set (id integer PRIMARY KEY, elements text NOT NULL)",
  "INSERT INTO torture_set VALUES (1, '[]')",
  `CREATE TABLE torture_log (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, element text NOT NULL,
  token bigint NOT NULL, elements text NOT NULL)`,
];

/** @param {number} [max] connections */
export function openPool(max = 4) {
  const pool = new pg.Pool({ connectionString: process.env[postgresVariable], max });
  // A connection that was reset while nobody used it; the next query takes another.
  pool.on("error", (cause) => console.error("an idle connection ended", cause.message));
  return pool;
}

/** @param {pg.Pool | pg.PoolClient} client */
export async function readSet(client) {
  /** @type {pg.QueryResult<{ elements: string }>} */
  const { rows } = await client.query(statements.read);
  return parsed(rows[0]?.elements);
}

/**
 * @param {pg.PoolClient} client
 * @param {import("./place.mjs").Change} change
 */
export async function writeSet(client, { next, element, token, inside }) {
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
export async function writePlain(pool, change) {
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
