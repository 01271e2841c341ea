/** The tables for an operator to make. */

import { resolveTables, type TableNames } from "../sql/tables.js";
import { postgresDialect } from "./dialect.js";

/** One statement per table, each harmless where the table stands already. */
export function postgresSchema(tables?: TableNames): readonly string[] {
  return postgresDialect.schema(resolveTables(tables, (name) => postgresDialect.quote(name)));
}
