/** What the PostgreSQL guard refuses, in its own transactions and in those that somebody else opens. */

import { it } from "vitest";
import { describeWithServer } from "../../servers/with-server.js";
import { cases, type Refusing, refuses } from "../sql/refusals.js";
import type { ClientName, Scene } from "./scene.js";
import { postgresScope } from "./scope.js";

describeWithServer("postgres", "what the PostgreSQL guard refuses", () => {
  const { inScene } = postgresScope();

  for (const name of ["pg", "postgres.js"] as const) {
    for (const one of cases) {
      it(`when ${one.when}, each use of it is ${one.code} (${name})`, async () => {
        await inScene(async (scene) => refuses(refusing(scene, name), one));
      });
    }
  }
});

function refusing(scene: Scene, name: ClientName): Refusing {
  const { fence } = scene.tables;
  return {
    async claim(claimant) {
      const handle = await scene.guard(scene.client(name)).claim(claimant);
      return {
        write: async (inside) =>
          handle.transaction(async (tx) => {
            inside();
            await scene.put(tx, "by handle");
          }),
        read: async (inside) => handle.read(async () => inside()),
        writeByStatement: async () => {
          const { text, values } = handle.statement();
          await scene.sql().begin(async (tx) => {
            await tx.unsafe(text, [...values]);
            await scene.put(tx, "by statement");
          });
        },
        refusalOf: (error) => handle.refusalOf(error),
      };
    },
    change: async (sql) => scene.admin.query(sql.replaceAll("{fence}", fence)),
    rows: async () => (await scene.admin.query<object>(`SELECT * FROM ${fence}`)).rows,
    content: async () => scene.content(),
  };
}
