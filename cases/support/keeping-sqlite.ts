/** Values of a case in a SQLite file, which a process of its own has open. */

import { optionError } from "../../src/base/options.js";
import { decodeFenceRow } from "../../src/fence/sql/rows.js";
import { sqliteSchema } from "../../src/fence/sqlite/index.js";
import type { RemoteDatabase } from "../../test/fence/sqlite/remote.js";
import { SqliteScene } from "../../test/fence/sqlite/scene.js";
import type { Keeping, KeptGuard } from "./keeping.js";

export async function inSqlite(): Promise<Keeping> {
  const scene = new SqliteScene();
  scene.admin.exec("CREATE TABLE kept (resource TEXT PRIMARY KEY, value TEXT NOT NULL)");
  for (const statement of sqliteSchema()) scene.admin.exec(statement);
  return {
    values: (resource, initial) => valueIn(scene, resource, initial),
    // Each call has its answer before anything else can happen.
    idle: async () => {},
    close: async () => scene.close(),
  };
}

interface Named {
  readonly namespace: string;
  readonly election: string;
}

function valueIn<V>(scene: SqliteScene, resource: string, initial: V): KeptGuard<V> {
  const guard = scene.guard(scene.admin, { resource, create: false });
  const load = (from: RemoteDatabase): V => {
    const [row] = from.prepare("SELECT value FROM kept WHERE resource = ?").all(resource);
    return row === undefined ? initial : (JSON.parse((row as { readonly value: string }).value) as V);
  };
  const save = (to: RemoteDatabase, value: V): void => {
    const text = "INSERT INTO kept VALUES (?, ?) ON CONFLICT (resource) DO UPDATE SET value = excluded.value";
    to.prepare(text).run(resource, JSON.stringify(value));
  };
  const rows = () =>
    scene.admin
      .prepare("SELECT * FROM tenure_fence WHERE resource = ?")
      .all(resource)
      .flatMap((found) => {
        const one = found as Readonly<Record<string, unknown>> & Named;
        const row = decodeFenceRow(resource, { rows: [one], count: 1 })?.row;
        return row === undefined ? [] : [{ namespace: one.namespace, election: one.election, row }];
      });
  return {
    kind: guard.kind,
    resource,
    operator: guard.operator,
    async claim(...claiming) {
      const handle = await guard.claim(...claiming);
      return {
        resource,
        fence: handle.fence,
        read: async () => handle.read(load),
        transaction: async <R>(body: (tx: { value: V }) => R | Promise<R>, options = {}) =>
          handle.transaction((database) => {
            const transaction = { value: load(database) };
            const result = body(transaction);
            if (result instanceof Promise)
              throw optionError("body", result, "a function that awaits nothing");
            save(database, transaction.value);
            return result;
          }, options),
      };
    },
    inspect: async () => ({ value: load(scene.admin), rows: rows() }),
  };
}
