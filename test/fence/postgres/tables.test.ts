/** Tables and privileges: who makes the tables, what is said where they are missing, what a role needs. */

import { expect, it } from "vitest";
import { postgresGuard, postgresSchema } from "../../../src/fence/postgres/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { tableSuite } from "../sql/tables.js";
import { postgresScope } from "./scope.js";
import { describeStand } from "./stand.js";

describeStand("the tables of the PostgreSQL guard", tableSuite);

describeWithServer("postgres", "the printed tables of the PostgreSQL guard", () => {
  const { inScene } = postgresScope();

  it("when the printed statements are run, twice even, a guard with these names works on them", async () => {
    await inScene(async (scene) => {
      const { schema } = scene;
      const tables = { fence: `${schema}.MyFence`, attempt: `${schema}.my_attempt` };
      await scene.admin.query(`SET search_path = ${schema}`);
      const names = { ...tables, operation: `${schema}.my_operation` };
      for (const statement of [...postgresSchema(names), ...postgresSchema(names)]) {
        await scene.admin.query(statement);
      }
      const guard = scene.guard(scene.pool(), { tables: names, create: false, rememberOperations: 10 });
      const handle = await guard.claim(fence());
      await handle.transaction(async (tx) => scene.put(tx, "1"), { opId: "one" });
      expect(await scene.standing()).toContain("MyFence");
      expect(await scene.content()).toEqual(["1"]);
    });
  });

  it("when what is handed in is no pool, it is refused before anything is sent", async () => {
    const options = { resource: "ledger" };
    for (const client of [undefined, {}, () => {}, { connect() {}, release() {} }]) {
      expect(() => postgresGuard(client as never, options)).toThrow(/client must be a Pool of pg 8/);
    }
  });
});
