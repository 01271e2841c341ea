/** The tables of guards on a MySQL or MariaDB server. */

import { realClock } from "../../base/real-clock.js";
import { clientOf, type MysqlPool } from "../../fence/mysql/client.js";
import { mysqlDialect } from "../../fence/mysql/dialect.js";
import { mysqlGuard } from "../../fence/mysql/index.js";
import { lookAtTables } from "../../fence/sql/overview.js";
import { resolveTables } from "../../fence/sql/tables.js";
import { verifyFence } from "../../fence/verify/index.js";
import { importFirst } from "./client.js";
import type { GuardPlace, PlaceOptions } from "./place.js";
import { seenIn } from "./tables-seen.js";

interface Mysql {
  readonly default: { readonly createPool: (options: object) => MysqlPool & Ending };
}

interface Ending {
  end(answer: (error?: Error | null) => void): void;
}

const patienceMs = 5_000;

export async function openMysql(
  url: string,
  { tables: names, environment }: PlaceOptions,
): Promise<GuardPlace> {
  const { module } = await importFirst<Mysql>(["mysql2"], "a guard on MySQL or MariaDB");
  const password = environment["MYSQL_PWD"];
  const pool = module.default.createPool({
    uri: url,
    connectTimeout: patienceMs,
    connectionLimit: 4,
    ...(password === undefined || new URL(url).password !== "" ? {} : { password }),
  });
  const tables = resolveTables(names, (one) => mysqlDialect.quote(one));
  const site = {
    client: clientOf(pool),
    dialect: mysqlDialect,
    clock: realClock,
    resource: "the database",
  };
  const guard = (resource: string) => mysqlGuard(pool, { resource, tables: names });
  return {
    holds: "tables",
    look: async (resource) => seenIn(await lookAtTables(site, tables, resource)),
    operator: (resource) => guard(resource).operator,
    verify: async () => verifyFence(guard),
    close: async () =>
      new Promise((resolve, reject) => {
        pool.end((error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}
