/** What operators do to a PostgreSQL guard: acts with their record, and probes that leave nothing. */

import { describeWithServer } from "../../servers/with-server.js";
import { operatorSuite, type Stand } from "../sql/operators.js";
import { breakablePool } from "./replies.js";
import { type ClientName, run, type Scene, type Tx } from "./scene.js";
import { postgresScope } from "./scope.js";

const names: readonly ClientName[] = ["pg", "postgres.js"];

function standOn(scene: Scene): Stand<Tx> {
  const clients = new Map<string, ReturnType<Scene["client"]>>();
  const clientOf = (name: string = "pg") => {
    const client = clients.get(name) ?? scene.client(name as ClientName);
    clients.set(name, client);
    return client;
  };
  return {
    tables: scene.tables,
    guard: (options = {}, name) => scene.guard(clientOf(name), options),
    breakable() {
      const { client, breakNext } = breakablePool(scene.pool());
      return { guard: scene.guard(client), breakNext };
    },
    put: async (tx, value) => scene.put(tx, value),
    content: async () => scene.content(),
    query: async (text) => scene.admin.query(text),
    count: async (table) =>
      Number((await run(scene.admin, `SELECT count(*)::text AS n FROM ${table}`, []))[0]?.["n"]),
    async open(text) {
      const connection = await scene.admin.connect();
      await connection.query(`BEGIN; ${text}`);
      return {
        async commit() {
          await connection.query("COMMIT");
          connection.release();
        },
      };
    },
    waiting: async (count) => scene.waiting(count),
  };
}

describeWithServer("postgres", "an operator of the PostgreSQL guard", () => {
  const { inScene } = postgresScope();
  operatorSuite<Tx>({
    kind: "postgres",
    clients: names,
    inStand: async (work) => inScene(async (scene) => work(standOn(scene))),
  });
});
