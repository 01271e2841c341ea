/**
 * The set in a PostgreSQL server that the run starts for itself, each client behind a proxy of its own.
 *
 * Both forms use the same tables, the same statements and `read committed`. Before the verdict the server is
 * killed and started again, so that what counts is what it recovers.
 */

import { mkdir } from "node:fs/promises";
import { postgresGuard } from "tenure/fence/postgres";
import { loadServers } from "../../test/servers/load.mjs";
import { resource } from "./place.mjs";
import {
  openPool,
  postgresTables,
  postgresVariable,
  readSet,
  writePlain,
  writeSet,
} from "./postgres-tables.mjs";
import { openServer } from "./server.mjs";
import { readTables } from "./tables.mjs";

/** @typedef {import("tenure/fence/postgres").PostgresHandle<import("pg").PoolClient>} Handle */

/** @type {import("./place.mjs").SetPlace} */
export const postgresPlace = {
  about: "in PostgreSQL",
  faults: ["inside", "cut", "double"],
  async open(_form, path, nodes) {
    await mkdir(path);
    const settings = { path, nodes, variable: postgresVariable, schema: postgresTables };
    return openServer(await (await loadServers()).startPostgres(), settings);
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
