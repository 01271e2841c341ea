/** `tenure fence schema`: the tables of guards, for an operator to make. */

import { mysqlSchema } from "../../fence/mysql/index.js";
import { postgresSchema } from "../../fence/postgres/index.js";
import { type TableNames, sqliteSchema } from "../../fence/sqlite/index.js";
import { exitCodes } from "../exit-codes.js";
import { usageError } from "../usage-error.js";
import type { Verb } from "../verb.js";
import { parseTables, tablesOption } from "./places.js";

const schemas: Readonly<Record<string, (tables: TableNames) => readonly string[]>> = {
  postgres: postgresSchema,
  mysql: mysqlSchema,
  sqlite: sqliteSchema,
};

export const fenceSchema: Verb = {
  name: "fence schema",
  everyday: false,
  summary: "print the tables that guards in a database need",
  about: `DATABASE is postgres, mysql (also for MariaDB) or sqlite. Prints SQL, for psql or another client of the database. Each
statement makes a table unless one of that name stands already, so it may be run again, and adds what an earlier release
did not have.`,
  positionals: ["DATABASE"],
  settings: [],
  options: [tablesOption],
  async run({ positionals: [database = ""], flags }, terminal) {
    const schema = Object.hasOwn(schemas, database) ? schemas[database] : undefined;
    if (schema === undefined) {
      throw usageError(`database ${JSON.stringify(database)}: one of ${Object.keys(schemas).join(", ")}`);
    }
    terminal.out(
      schema(parseTables(flags.text("tables")))
        .map((statement) => `${statement};`)
        .join("\n"),
    );
    return exitCodes.done;
  },
};
