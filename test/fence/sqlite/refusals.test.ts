/** What the SQLite guard refuses, in its own transactions and in those that somebody else opens. */

import { it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { cases, type Refusing, refuses } from "../sql/refusals.js";
import { SqliteScene } from "./scene.js";

describeWithServer(["node22", "better-sqlite3"], "what the SQLite guard refuses", () => {
  for (const name of ["node:sqlite", "better-sqlite3"] as const) {
    for (const one of cases) {
      it(`when ${one.when}, each use of it is ${one.code} (${name})`, async () => {
        const scene = new SqliteScene(name);
        try {
          await refuses(refusing(scene), one);
        } finally {
          await scene.close();
        }
      });
    }
  }
});

function refusing(scene: SqliteScene): Refusing {
  // One process for all: nobody waits for anybody here.
  const own = scene.admin;
  return {
    async claim(claimant) {
      const handle = await scene.guard(own).claim(claimant);
      return {
        write: async (inside) =>
          handle.transaction((tx) => {
            inside();
            scene.put(tx, "by handle");
          }),
        read: async (inside) => handle.read(() => inside()),
        writeByStatement: async () => {
          const { text, values } = handle.statement();
          own.exec("BEGIN");
          try {
            own.prepare(text).run(...values);
            scene.put(own, "by statement");
            own.exec("COMMIT");
          } catch (cause) {
            own.exec("ROLLBACK");
            throw cause;
          }
        },
        refusalOf: (error) => handle.refusalOf(error),
      };
    },
    change: async (sql) => scene.admin.exec(sql.replaceAll("{fence}", "tenure_fence")),
    rows: async () => scene.admin.prepare("SELECT * FROM tenure_fence").all(),
    content: async () => scene.content(),
  };
}
