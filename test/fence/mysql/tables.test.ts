/** Tables and privileges: who makes the tables, what is said where they are missing, what a role needs. */

import { expect, it } from "vitest";
import { mysqlGuard, mysqlSchema } from "../../../src/fence/mysql/index.js";
import { describeWithServer } from "../../servers/with-server.js";
import { fence } from "../scene.js";
import { tableSuite } from "../sql/tables.js";
import { mysqlScope } from "./scope.js";
import { describeStand } from "./stand.js";

describeStand("the tables of the MySQL guard", tableSuite);

describeWithServer("mariadb", "the printed tables of the MySQL guard", () => {
  const { inScene } = mysqlScope();

  it("when the printed statements are run, twice even, a guard with these names works on them", async () => {
    await inScene(async (scene) => {
      const { database } = scene;
      const tables = { fence: `${database}.MyFence`, attempt: `${database}.my_attempt` };
      const names = { ...tables, operation: `${database}.my_operation` };
      for (const statement of [...mysqlSchema(names), ...mysqlSchema(names)]) {
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
    const cluster = { getConnection() {}, of() {} };
    for (const client of [undefined, {}, () => {}, { query() {}, promise() {} }, cluster]) {
      expect(() => mysqlGuard(client as never, options)).toThrow(/client must be a Pool of mysql2 3/);
    }
  });
});
