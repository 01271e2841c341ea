/** Values of a case on a MariaDB server of its own, through mysql2. */

import { mysqlSchema } from "../../src/fence/mysql/index.js";
import { run, Scene, type Tx } from "../../test/fence/mysql/scene.js";
import { quickTables } from "../../test/fence/mysql/scope.js";
import { startMariadb } from "../../test/servers/mariadb.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";
import { keptValue } from "./kept-value.js";

export async function inMysql(): Promise<Keeping> {
  const server = await startMariadb({ config: quickTables });
  const scene = await Scene.open(server.url);
  await scene.admin.query(
    `CREATE TABLE ${scene.database}.kept (resource VARCHAR(64) PRIMARY KEY, value TEXT NOT NULL)`,
  );
  for (const statement of mysqlSchema(scene.tables)) await scene.admin.query(statement);
  const unanswered = new Unanswered();
  return {
    values: (resource, initial) => valueIn(scene, unanswered, resource, initial),
    idle: async () => unanswered.idle(),
    async close() {
      await scene.end();
      await server.stop();
    },
  };
}

function valueIn<V>(scene: Scene, unanswered: Unanswered, resource: string, initial: V): KeptGuard<V> {
  const pool = scene.pool();
  // Two writes of one term would each read what the other has not written yet.
  const guard = scene.guard(pool, { resource, concurrency: 1 });
  const table = `${scene.database}.kept`;
  return keptValue<Tx, V>(guard, unanswered, {
    async load(from) {
      const [row] = await run(from ?? pool, `SELECT value FROM ${table} WHERE resource = ?`, [resource]);
      return row === undefined ? initial : (JSON.parse(String(row["value"])) as V);
    },
    async save(to, value) {
      const text = `INSERT INTO ${table} VALUES (?, ?) ON DUPLICATE KEY UPDATE value = VALUES(value)`;
      return run(to, text, [resource, JSON.stringify(value)]);
    },
  });
}
