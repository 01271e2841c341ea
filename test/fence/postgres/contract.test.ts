/** The PostgreSQL guard keeps the contract of guards, through pg and through postgres.js. */

import { afterAll, beforeAll, describe, it } from "vitest";
import type { PostgresHandle } from "../../../src/fence/postgres/index.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import { type PostgresServer, startPostgres } from "../../servers/postgres.js";
import { describeWithServer } from "../../servers/with-server.js";
import { breakablePool, breakableSql } from "./replies.js";
import { type ClientName, Scene, type Tx } from "./scene.js";

let server: PostgresServer;

async function open(name: ClientName): Promise<GuardHarness<PostgresHandle<Tx>>> {
  const scene = await Scene.open(server.url);
  const { client, breakNext } = name === "pg" ? breakablePool(scene.pool()) : breakableSql(scene.sql());
  let copies = 0;
  return {
    guard: ({ rememberOperations, ...request }) =>
      scene.guard(client, { ...request, rememberOperations: rememberOperations ? 16 : 0 }),
    apply: async (handle, { value, result, pause, options }) =>
      handle.transaction(async (tx) => {
        await scene.put(tx, value, handle.resource);
        await pause();
        return result;
      }, options),
    read: async (handle) => handle.read(async (tx) => scene.content(handle.resource, tx)),
    content: async (resource) => scene.content(resource),
    loseReply: breakNext,
    operator: {
      restart: async () => server.restart({ data: "kept" }),
      async wipe() {
        for (const table of await scene.standing())
          await scene.admin.query(`TRUNCATE ${scene.schema}.${table}`);
      },
      async snapshot() {
        const copy = (copies += 1);
        for (const table of await scene.standing()) {
          const from = `${scene.schema}.${table}`;
          await scene.admin.query(`CREATE TABLE ${scene.schema}.copy_${copy}_${table} AS TABLE ${from}`);
        }
        return copy;
      },
      async restore(copy) {
        for (const table of await scene.standing()) {
          const to = `${scene.schema}.${table}`;
          const from = `${scene.schema}.copy_${copy as number}_${table}`;
          await scene.admin.query(
            `BEGIN; TRUNCATE ${to}; INSERT INTO ${to} OVERRIDING SYSTEM VALUE TABLE ${from}; COMMIT`,
          );
        }
      },
    },
    close: async () => scene.close(),
  };
}

describeWithServer("postgres", "the PostgreSQL guard", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server.stop());

  for (const name of ["pg", "postgres.js"] as const) {
    guardContract({
      describe,
      it,
      name: `postgres, through ${name}`,
      open: async () => open(name),
      capabilities: {
        savesResults: true,
        ordersStrictly: true,
        remembersOperations: true,
        claimsPassWriters: false,
      },
    });
  }
});
