/** The journal in PostgreSQL keeps the contract of journals, through pg and through postgres.js. */

import { afterAll, beforeAll, describe, it } from "vitest";
import { breakablePool, breakableSql } from "../../fence/postgres/replies.js";
import { type ClientName, Scene } from "../../fence/postgres/scene.js";
import { type PostgresServer, startPostgres } from "../../servers/postgres.js";
import { describeWithServer } from "../../servers/with-server.js";
import { type Harness, journalContract } from "../contract.mjs";
import { journalIn, tablesIn } from "./scene.js";

let server: PostgresServer;

async function open(name: ClientName): Promise<Harness> {
  const scene = await Scene.open(server.url);
  const { client, breakNext } = name === "pg" ? breakablePool(scene.pool()) : breakableSql(scene.sql());
  return {
    open: (limits = {}) => journalIn(scene, client, limits),
    loseReply: () => breakNext("after"),
    async damage(index) {
      await scene.admin.query(`DELETE FROM ${tablesIn(scene).entry} WHERE idx = ${index}`);
    },
    close: async () => scene.close(),
  };
}

describeWithServer("postgres", "the journal in PostgreSQL", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server.stop());

  for (const name of ["pg", "postgres.js"] as const) {
    journalContract({ describe, it, name: `postgres, through ${name}`, open: async () => open(name) });
  }
});
