/** One value in a database of a case's own, written in the transactions of its guard. */

import type { SqlGuard, SqlHandle } from "../../src/fence/sql/guard.js";
import type { KeptGuard, Unanswered } from "./keeping.js";

export interface Row<T, V> {
  /** In a transaction, or past every guard. */
  load(from?: T): Promise<V>;
  save(to: T, value: V): Promise<unknown>;
}

export function keptValue<T, V>(
  guard: SqlGuard<SqlHandle<T>>,
  unanswered: Unanswered,
  { load, save }: Row<T, V>,
): KeptGuard<V> {
  const { kind, resource, operator } = guard;
  return {
    kind,
    resource,
    operator,
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
    inspect: async () => ({ value: await load(), rows: await guard.inspect() }),
  };
}
