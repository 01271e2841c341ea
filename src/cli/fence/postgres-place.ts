/** The tables of guards on a PostgreSQL server. */

import { realClock } from "../../base/real-clock.js";
import { clientOf, type PostgresClient } from "../../fence/postgres/client.js";
import { postgresDialect } from "../../fence/postgres/dialect.js";
import { postgresGuard } from "../../fence/postgres/index.js";
import { lookAtTables } from "../../fence/sql/overview.js";
import { resolveTables } from "../../fence/sql/tables.js";
import { verifyFence } from "../../fence/verify/index.js";
import { importFirst } from "./client.js";
import type { GuardPlace, PlaceOptions } from "./place.js";
import { seenIn } from "./tables-seen.js";

interface Pg {
  readonly default: { readonly Pool: new (options: object) => PostgresClient & Ending };
}

interface PostgresJs {
  readonly default: (url: string, options: object) => PostgresClient & Ending;
}

interface Ending {
  end(options?: object): Promise<void>;
  on?(event: "error", listener: () => void): unknown;
}

const patienceSeconds = 5;

export async function openPostgres(url: string, { tables: names }: PlaceOptions): Promise<GuardPlace> {
  const { name, module } = await importFirst<Pg | PostgresJs>(["pg", "postgres"], "a guard on PostgreSQL");
  const client = name === "pg" ? pool(module as Pg, url) : sql(module as PostgresJs, url);
  const tables = resolveTables(names, (one) => postgresDialect.quote(one));
  const site = {
    client: clientOf(client),
    dialect: postgresDialect,
    clock: realClock,
    resource: "the database",
  };
  const guard = (resource: string) => postgresGuard(client, { resource, tables: names });
  return {
    holds: "tables",
    look: async (resource) => seenIn(await lookAtTables(site, tables, resource)),
    operator: (resource) => guard(resource).operator,
    verify: async () => verifyFence(guard),
    close: async () => client.end(),
  };
}

function pool({ default: pg }: Pg, connectionString: string): PostgresClient & Ending {
  const connectionTimeoutMillis = patienceSeconds * 1_000;
  const made = new pg.Pool({ connectionString, connectionTimeoutMillis, max: 4 });
  // A connection that idles and breaks ends the process where nobody listens; the next statement tells of it.
  made.on?.("error", () => {});
  return made;
}

function sql({ default: postgres }: PostgresJs, url: string): PostgresClient & Ending {
  const made = postgres(url, { max: 4, connect_timeout: patienceSeconds, onnotice: () => {} });
  return Object.assign(made, { end: made.end.bind(made) });
}
