/** What fences all resources of a SQLite file. */

import { decodeActs } from "../sql/acts.js";
import { selectActs, selectElections } from "../sql/looking.js";
import { decodeOverview, type FencedTables, why } from "../sql/overview.js";
import type { Tables } from "../sql/tables.js";
import type { SqliteDatabase } from "./database.js";
import { look } from "./operator.js";

/** Of one resource, or of all. Throws GUARD_FAILED or GUARD_TABLES_MISSING. */
export function lookAtFile(
  database: SqliteDatabase,
  tables: Tables,
  resource: string | undefined,
): FencedTables {
  const name = resource ?? "the file";
  const [rows] = look(database, name, [selectElections(tables, resource)]);
  return { rows: decodeOverview(rows), acts: actsOf() };

  function actsOf(): FencedTables["acts"] {
    try {
      return decodeActs(look(database, name, [selectActs(tables, resource)])[0]);
    } catch (cause) {
      return why(cause);
    }
  }
}
