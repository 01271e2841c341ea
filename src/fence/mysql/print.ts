/** The tables for an operator to make. */

import { resolveTables, type TableNames } from "../sql/tables.js";
import { mysqlDialect } from "./dialect.js";

/** One statement per table, each harmless where the table stands already. */
export function mysqlSchema(tables?: TableNames): readonly string[] {
  return mysqlDialect.schema(resolveTables(tables, (name) => mysqlDialect.quote(name)));
}
