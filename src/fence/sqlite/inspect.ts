/** What fences a resource in a SQLite file, for those who only look. */

import type { ElectionRow } from "../cell.js";
import { isText } from "../row.js";
import { fullRow } from "../sql/inspect.js";
import type { ResolvedSqlOptions } from "../sql/options.js";
import { decodeAttempts, decodeFenceRow } from "../sql/rows.js";
import { selectElections, selectRing } from "../sql/statements.js";
import { readText } from "../sql/tables.js";
import { run, type SqliteDatabase } from "./database.js";

/** To be called inside of a transaction, whose snapshot it shows. */
export function inspectSqlite(
  database: SqliteDatabase,
  { resource, tables }: ResolvedSqlOptions,
): readonly ElectionRow[] {
  return run(database, selectElections(tables, resource)).rows.flatMap((one) => {
    const [namespace, election] = [readText(one["namespace"]), readText(one["election"])];
    const fenced = decodeFenceRow(resource, { rows: [one], count: 1 });
    if (fenced === undefined || !isText(namespace, 1_024) || !isText(election, 1_024)) return [];
    const ring = decodeAttempts(resource, run(database, selectRing(tables, String(one["id"]))));
    return [{ namespace, election, row: fullRow(fenced.row, ring) }];
  });
}
