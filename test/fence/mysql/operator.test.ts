/** What operators do to a MySQL guard: acts with their record, and probes that leave nothing. */

import { describeWithServer } from "../../servers/with-server.js";
import { operatorSuite, type Stand } from "../sql/operators.js";
import { breakable } from "./replies.js";
import { type Form, forms, run, type Scene, type Tx } from "./scene.js";
import { mysqlScope } from "./scope.js";

function standOn(scene: Scene): Stand<Tx> {
  const clients = new Map<string, ReturnType<Scene["client"]>>();
  const clientOf = (form: string = forms[0]) => {
    const client = clients.get(form) ?? scene.client(form as Form);
    clients.set(form, client);
    return client;
  };
  return {
    tables: scene.tables,
    guard: (options = {}, form) => scene.guard(clientOf(form), options),
    breakable() {
      const { client, breakNext } = breakable(scene.client("promises"));
      return { guard: scene.guard(client), breakNext };
    },
    put: async (tx, value) => scene.put(tx, value),
    content: async () => scene.content(),
    query: async (text) => scene.admin.query(text),
    count: async (table) => Number((await run(scene.admin, `SELECT COUNT(*) AS n FROM ${table}`))[0]?.["n"]),
    async open(text) {
      const connection = await scene.admin.getConnection();
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

describeWithServer("mariadb", "an operator of the MySQL guard", () => {
  const { inScene } = mysqlScope();
  operatorSuite<Tx>({
    kind: "mysql",
    clients: forms,
    inStand: async (work) => inScene(async (scene) => work(standOn(scene))),
  });
});
