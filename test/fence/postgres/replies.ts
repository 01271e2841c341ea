/** Clients whose next COMMIT gets no answer, as when the network breaks off before it or after it. */

import type pg from "pg";
import type postgres from "postgres";

export type When = "before" | "after";

export interface Breakable<C> {
  readonly client: C;
  breakNext(when: When): void;
}

type Send = (...parts: readonly unknown[]) => Promise<unknown>;

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

export function breakablePool(pool: pg.Pool): Breakable<pg.Pool> {
  let breaking: When | undefined;
  const connect = pool.connect.bind(pool);
  const known = new WeakSet<pg.PoolClient>();
  const breakable =
    (send: Send): Send =>
    async (...parts) => {
      const [text] = parts;
      const when = typeof text === "string" && text.endsWith("COMMIT") ? breaking : undefined;
      if (when === undefined) return send(...parts);
      breaking = undefined;
      if (when === "after") await send(...parts);
      throw reset();
    };
  Object.assign(pool, {
    connect: async () => {
      const connection = await connect();
      if (known.has(connection)) return connection;
      known.add(connection);
      return Object.assign(connection, { query: breakable(connection.query.bind(connection) as Send) });
    },
  });
  return { client: pool, breakNext: (when) => void (breaking = when) };
}

type Begin = (options: string, body: (tx: unknown) => Promise<unknown>) => Promise<unknown>;

/** The commit of postgres.js is sent when the body of `begin` ends well. */
export function breakableSql(sql: postgres.Sql): Breakable<postgres.Sql> {
  let breaking: When | undefined;
  const begin = sql.begin.bind(sql) as Begin;
  const breakable: Begin = async (options, body) => {
    let when: When | undefined;
    const result = await begin(options, async (tx) => {
      const value = await body(tx);
      [when, breaking] = [breaking, undefined];
      if (when === "before") throw reset();
      return value;
    });
    if (when === "after") throw reset();
    return result;
  };
  Object.assign(sql, { begin: breakable });
  return { client: sql, breakNext: (when) => void (breaking = when) };
}
