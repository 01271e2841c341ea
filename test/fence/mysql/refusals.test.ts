/** What the MySQL guard refuses, in its own transactions and in those that somebody else opens. */

import { it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { cases, type Refusing, refuses } from "../sql/refusals.js";
import { type Form, forms, run, type Scene } from "./scene.js";
import { mysqlScope } from "./scope.js";

describeWithServer("mariadb", "what the MySQL guard refuses", () => {
  const { inScene } = mysqlScope();

  for (const form of forms) {
    for (const one of cases) {
      it(`when ${one.when}, each use of it is ${one.code} (${form})`, async () => {
        await inScene(async (scene) => refuses(refusing(scene, form), one));
      });
    }
  }
});

function refusing(scene: Scene, form: Form): Refusing {
  const { fence } = scene.tables;
  return {
    async claim(claimant) {
      const handle = await scene.guard(scene.client(form)).claim(claimant);
      return {
        write: async (inside) =>
          handle.transaction(async (tx) => {
            inside();
            await scene.put(tx, "by handle");
          }),
        read: async (inside) => handle.read(async () => inside()),
        async writeByStatement() {
          const { text, values } = handle.statement();
          const tx = await scene.admin.getConnection();
          try {
            await tx.query("BEGIN");
            await tx.query(text, [...values]);
            await scene.put(tx, "by statement");
            await tx.query("COMMIT");
          } finally {
            await tx.query("ROLLBACK");
            tx.release();
          }
        },
        refusalOf: (error) => handle.refusalOf(error),
      };
    },
    change: async (sql) => scene.admin.query(sql.replaceAll("{fence}", fence)),
    rows: async () => run(scene.admin, `SELECT * FROM ${fence}`),
    content: async () => scene.content(),
  };
}
