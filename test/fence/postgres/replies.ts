/** Clients whose next COMMIT gets no answer, as when the network breaks off before it or after it. */

import type pg from "pg";
import type postgres from "postgres";

export type When = "before" | "after";

export interface Breakable<C> {
  readonly client: C;
  breakNext(when: When): void;
}

type Send = (...parts: readonly unknown[]) => unknown;

/** What pg takes beside texts: it writes itself to the connection, and is told of each answer. */
interface Submitted {
  submit(wire: object): void;
  handleError(error: Error): void;
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

function isSubmitted(query: unknown): query is Submitted {
  return typeof query === "object" && query !== null && "submit" in query;
}

function commits(query: unknown): boolean {
  if (!isSubmitted(query)) return typeof query === "string" && query.endsWith("COMMIT");
  const statements: string[] = [];
  const nothing = () => {};
  query.submit({
    stream: { cork: nothing, uncork: nothing },
    ...{ parse: nothing, describe: nothing, execute: nothing, sync: nothing },
    bind: ({ statement }: { readonly statement: string }) => void statements.push(statement),
  });
  return statements.at(-1)?.startsWith("tenure_commit") === true;
}

async function textBrokenOff(when: When, send: () => unknown): Promise<never> {
  if (when === "after") await send();
  throw reset();
}

function breakOff(query: Submitted, when: When, send: Send): unknown {
  if (when === "before") return query.handleError(reset());
  return send(
    new Proxy(query, {
      get(target, name) {
        if (name === "handleReadyForQuery") return () => target.handleError(reset());
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    }),
  );
}

export function breakablePool(pool: pg.Pool): Breakable<pg.Pool> {
  let breaking: When | undefined;
  const connect = pool.connect.bind(pool);
  const known = new WeakSet<pg.PoolClient>();
  const breakable =
    (send: Send): Send =>
    (...parts) => {
      const [query] = parts;
      const when = commits(query) ? breaking : undefined;
      if (when === undefined) return send(...parts);
      breaking = undefined;
      if (isSubmitted(query)) return breakOff(query, when, send);
      return textBrokenOff(when, () => send(...parts));
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
