/** Values of a case on a PostgreSQL server of its own, through pg. */

import { postgresSchema } from "../../src/fence/postgres/index.js";
import { run, Scene, type Tx } from "../../test/fence/postgres/scene.js";
import { startPostgres } from "../../test/servers/postgres.js";
import { type Keeping, type KeptGuard, Unanswered } from "./keeping.js";
import { keptValue } from "./kept-value.js";

export async function inPostgres(): Promise<Keeping> {
  const server = await startPostgres();
  const scene = await Scene.open(server.url);
  await scene.admin.query(
    `CREATE TABLE ${scene.schema}.kept (resource text PRIMARY KEY, value text NOT NULL)`,
  );
  for (const statement of postgresSchema(scene.tables)) await scene.admin.query(statement);
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
  const table = `${scene.schema}.kept`;
  return keptValue<Tx, V>(guard, unanswered, {
    async load(from) {
      const [row] = await run(from ?? pool, `SELECT value FROM ${table} WHERE resource = $1`, [resource]);
      return row?.["value"] === undefined ? initial : (JSON.parse(row["value"]) as V);
    },
    async save(to, value) {
      const text = `INSERT INTO ${table} VALUES ($1, $2) ON CONFLICT (resource) DO UPDATE SET value = excluded.value`;
      return run(to, text, [resource, JSON.stringify(value)]);
    },
  });
}
