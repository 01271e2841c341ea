/** Values of a case on a PostgreSQL server of its own, through pg. */

import type { ValueGuard } from "../../src/fence/memory/index.js";
import { postgresSchema } from "../../src/fence/postgres/index.js";
import { run, Scene, type Tx } from "../../test/fence/postgres/scene.js";
import { startPostgres } from "../../test/servers/postgres.js";
import { type Keeping, Unanswered } from "./keeping.js";

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

function valueIn<V>(scene: Scene, unanswered: Unanswered, resource: string, initial: V): ValueGuard<V> {
  const pool = scene.pool();
  // Two writes of one term would each read what the other has not written yet.
  const guard = scene.guard(pool, { resource, concurrency: 1 });
  const load = async (from: Tx | typeof pool): Promise<V> => {
    const text = `SELECT value FROM ${scene.schema}.kept WHERE resource = $1`;
    const [row] = await run(from, text, [resource]);
    return row?.["value"] === undefined ? initial : (JSON.parse(row["value"]) as V);
  };
  const save = async (tx: Tx, value: V): Promise<unknown> => {
    const text = `INSERT INTO ${scene.schema}.kept VALUES ($1, $2) ON CONFLICT (resource) DO UPDATE SET value = excluded.value`;
    return run(tx, text, [resource, JSON.stringify(value)]);
  };
  return {
    kind: guard.kind,
    resource,
    async claim(...claiming) {
      const handle = await unanswered.until(guard.claim(...claiming));
      return {
        resource,
        fence: handle.fence,
        read: async () => unanswered.until(handle.read(load)),
        transaction: async (body, options) => {
          const written = handle.transaction(async (tx) => {
            const transaction = { value: await load(tx) };
            const result = await body(transaction);
            await save(tx, transaction.value);
            return result;
          }, options);
          return unanswered.until(written);
        },
      };
    },
    operator: guard.operator,
    inspect: async () => ({ value: await load(pool), rows: await guard.inspect() }),
  };
}
