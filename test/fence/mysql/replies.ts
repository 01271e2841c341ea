/** Pools whose next COMMIT gets no answer, as when the network breaks off before it or after it. */

import type mysql from "mysql2";
import type promised from "mysql2/promise";

export type When = "before" | "after";

type Answer = (error: Error | null, results?: unknown) => void;
/** A query of the guard's, or of anybody else: then there are more parts, or no callback. */
type Send = (query: string | { readonly sql: string }, ...parts: readonly unknown[]) => unknown;

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", fatal: true });
}

export function breakable<P extends mysql.Pool | promised.Pool>(
  pool: P,
): { readonly client: P; breakNext(when: When): void } {
  let breaking: When | undefined;
  const core: Pick<mysql.Pool, "on"> = "pool" in pool ? pool.pool : pool;
  core.on("connection", (connection: mysql.PoolConnection) => {
    const send = connection.query.bind(connection) as unknown as Send;
    const query: Send = (given, ...parts) => {
      const when = typeof given === "object" && given.sql.endsWith("COMMIT") ? breaking : undefined;
      const [answer] = parts as readonly Answer[];
      if (when === undefined || answer === undefined) return send(given, ...parts);
      breaking = undefined;
      return when === "after" ? send(given, () => answer(reset())) : answer(reset());
    };
    Object.assign(connection, { query });
  });
  return { client: pool, breakNext: (when) => void (breaking = when) };
}
