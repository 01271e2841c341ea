/** The MySQL guard keeps the contract of guards on MariaDB, through both forms of mysql2. */

import { afterAll, beforeAll, describe, it } from "vitest";
import type { MysqlHandle } from "../../../src/fence/mysql/index.js";
import { type GuardHarness, guardContract } from "../../../src/testkit/index.js";
import { type MariadbServer, startMariadb } from "../../servers/mariadb.js";
import { describeWithServer } from "../../servers/with-server.js";
import { breakable } from "./replies.js";
import { quickTables } from "./scope.js";
import { type Form, forms, Scene, type Tx } from "./scene.js";

let server: MariadbServer;

async function open(form: Form): Promise<GuardHarness<MysqlHandle<Tx>>> {
  const scene = await Scene.open(server.url);
  const { client, breakNext } = breakable(scene.client(form));
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
          await scene.admin.query(`DELETE FROM ${scene.database}.${table}`);
      },
      async snapshot() {
        const copy = (copies += 1);
        for (const table of await scene.standing()) {
          const from = `${scene.database}.${table}`;
          await scene.admin.query(
            `CREATE TABLE ${scene.database}.copy_${copy}_${table} AS SELECT * FROM ${from}`,
          );
        }
        return copy;
      },
      async restore(copy) {
        for (const table of await scene.standing()) {
          const to = `${scene.database}.${table}`;
          const from = `${scene.database}.copy_${copy as number}_${table}`;
          await scene.admin.query(
            `BEGIN; DELETE FROM ${to}; INSERT INTO ${to} SELECT * FROM ${from}; COMMIT`,
          );
        }
      },
    },
    close: async () => scene.close(),
  };
}

describeWithServer("mariadb", "the MySQL guard", () => {
  beforeAll(async () => {
    server = await startMariadb({ config: quickTables });
  });
  afterAll(async () => server.stop());

  for (const form of forms) {
    guardContract({
      describe,
      it,
      name: `mysql, through ${form}`,
      open: async () => open(form),
      capabilities: {
        savesResults: true,
        ordersStrictly: true,
        remembersOperations: true,
        claimsPassWriters: false,
      },
    });
  }
});
