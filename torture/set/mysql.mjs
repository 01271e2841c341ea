/**
 * The set in a MariaDB server that the run starts for itself, each client behind a proxy of its own.
 *
 * Both forms use the same tables, the same statements and `read committed`. Before the verdict the server is
 * killed and started again, so that what counts is what it recovers.
 */

import { mkdir } from "node:fs/promises";
import process from "node:process";
import mysql from "mysql2/promise";
import { mysqlGuard } from "tenure/fence/mysql";
import { loadServers } from "../../test/servers/load.mjs";
import { definitely, resource, WriteFailure } from "./place.mjs";
import { openServer } from "./server.mjs";
import { parsed, readTables, statements } from "./tables.mjs";

/** @typedef {import("tenure/fence/mysql").MysqlHandle<mysql.PoolConnection>} Handle */

const variable = "TENURE_TORTURE_MYSQL";
const isolation = "read committed";
const schema = [
  "CREATE TABLE torture_set (id INTEGER PRIMARY KEY, elements TEXT NOT NULL)",
  "INSERT INTO torture_set VALUES (1, '[]')",
  `CREATE TABLE torture_log (number BIGINT AUTO_INCREMENT PRIMARY KEY, element VARCHAR(100) NOT NULL,
  token BIGINT NOT NULL, elements TEXT NOT NULL)`,
];

/** @type {import("./place.mjs").SetPlace} */
export const mysqlPlace = {
  about: "in MariaDB",
  faults: ["inside", "cut", "double"],
  async open(_form, path, nodes) {
    await mkdir(path);
    return openServer(await (await loadServers()).startMariadb(), { path, nodes, variable, schema });
  },
  async enterFenced() {
    const pool = openPool();
    return {
      guard: mysqlGuard(pool, { resource, create: true, isolation }),
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
  return mysql.createPool({ uri: process.env[variable] ?? "", connectionLimit: 4 });
}

/** @param {mysql.Pool | mysql.PoolConnection} client */
async function readSet(client) {
  /** @type {[mysql.RowDataPacket[], mysql.FieldPacket[]]} */
  const [rows] = await client.query(statements.read);
  return parsed(rows[0]?.["elements"]);
}

/**
 * @param {mysql.PoolConnection} client
 * @param {import("./place.mjs").Change} change
 */
async function writeSet(client, { next, element, token, inside }) {
  const elements = JSON.stringify(next);
  // What is thrown in the middle commits nothing.
  await definitely(client.query(statements.write, [elements]));
  inside();
  await definitely(client.query(statements.append, [element, token, elements]));
}

/**
 * @param {mysql.Pool} pool
 * @param {import("./place.mjs").Change} change
 */
async function writePlain(pool, change) {
  let whole = false;
  const client = await definitely(pool.getConnection());
  try {
    await definitely(client.query(`SET TRANSACTION ISOLATION LEVEL ${isolation}`));
    await definitely(client.query("START TRANSACTION"));
    await writeSet(client, change);
    await client.query("COMMIT").catch((cause) => {
      throw new WriteFailure("unknown", cause);
    });
    whole = true;
  } finally {
    if (whole) client.release();
    else client.destroy();
  }
}
