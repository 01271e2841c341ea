/** The kinds of places that GUARD may name, and how each is opened. */

import type { TableNames } from "../../fence/sql/tables.js";
import { usageError } from "../usage-error.js";
import type { Terminal } from "../terminal.js";
import type { Invocation, OptionSpec } from "../verb.js";
import { openDirectory } from "./file-place.js";
import { openHttp } from "./http-place.js";
import { type GuardKind, type GuardUrl, parseGuardUrl } from "./guard-url.js";
import type { GuardPlace, PlaceOptions } from "./place.js";
import { openMysql } from "./mysql-place.js";
import { openNats } from "./nats-place.js";
import { openPostgres } from "./postgres-place.js";
import { openRedis } from "./redis-place.js";
import { openSqlite } from "./sqlite-place.js";

type Open = (place: string, options: PlaceOptions) => Promise<GuardPlace>;

const opens: Readonly<Record<GuardKind, Open>> = {
  file: openDirectory,
  sqlite: openSqlite,
  postgres: openPostgres,
  mysql: openMysql,
  redis: openRedis,
  nats: openNats,
  http: openHttp,
};

export const tablesOption: OptionSpec = {
  name: "tables",
  kind: "text",
  value: "NAMES",
  about: "other names of tables, such as fence=app.fence,attempt=app.attempt",
};

/** Opens what the first positional names, runs `work` on it and closes it. */
export async function inPlace<R>(
  { positionals, flags }: Invocation,
  { directory, environment }: Terminal,
  work: (place: GuardPlace, url: GuardUrl) => Promise<R>,
): Promise<R> {
  const url = parseGuardUrl(positionals[0] ?? "", directory);
  const tables = parseTables(flags.text("tables"));
  const { prefix, subject } = url;
  const options = { tables, prefix, subject, environment, maxBytes: flags.count("max-bytes") };
  const place = await opens[url.kind](url.place, options);
  try {
    return await work(place, url);
  } finally {
    await place.close();
  }
}

/** @throws a usage error; what is wrong with a name says the guard. */
export function parseTables(text: string | undefined): TableNames {
  const parts = text === undefined ? [] : text.split(",");
  const pairs = parts.map((part) => part.split("="));
  const wrong = pairs.find(([key, name, ...rest]) => key === "" || name === undefined || rest.length > 0);
  if (wrong === undefined) return Object.fromEntries(pairs) as TableNames;
  throw usageError(`--tables ${JSON.stringify(text)}: write table=name,table=name`);
}
