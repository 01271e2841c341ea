/** Several statements one after the other, as databases with a wire take them in one message. */

import { run, type SqliteDatabase, sqliteFailed } from "../../fence/sqlite/database.js";
import type { Answer, Statement } from "../../fence/sql/session.js";

/** Answers those with `answer`, in their order. Throws the database's error. */
export function ask(database: SqliteDatabase, statements: readonly Statement[]): readonly Answer[] {
  return statements.flatMap((statement) => {
    const answer = run(database, statement);
    return statement.answer === undefined ? [] : [answer];
  });
}

/** As `ask`, and throws GUARD_FAILED when it fails. */
export function askOrFail(
  name: string,
  database: SqliteDatabase,
  statements: readonly Statement[],
): readonly Answer[] {
  try {
    return ask(database, statements);
  } catch (cause) {
    throw sqliteFailed(name, cause);
  }
}
