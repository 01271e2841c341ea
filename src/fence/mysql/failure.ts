/** What an error of MySQL or MariaDB means. Errors of the server carry a number and a state; those of sockets carry none. */

import type { Failure } from "../sql/dialect.js";

const failures: ReadonlyMap<number, Failure> = new Map<number, Failure>([
  [1062, "taken"], // ER_DUP_ENTRY
  [1050, "taken"], // ER_TABLE_EXISTS_ERROR
  [1213, "again"], // ER_LOCK_DEADLOCK
  [1205, "locked"], // ER_LOCK_WAIT_TIMEOUT
  [1969, "locked"], // ER_STATEMENT_TIMEOUT of MariaDB: max_statement_time
  [3024, "locked"], // ER_QUERY_TIMEOUT of MySQL: max_execution_time
  [1146, "tables-missing"], // ER_NO_SUCH_TABLE
  [1049, "tables-missing"], // ER_BAD_DB_ERROR
  [1094, "gone"], // ER_NO_SUCH_THREAD
  [4031, "ended"], // ER_CLIENT_INTERACTION_TIMEOUT: it came before the statement
  [1030, "lost"], // ER_GET_ERRNO: the engine failed
  [1047, "lost"], // ER_UNKNOWN_COM_ERROR: of Galera, when its node has left the others
  [1053, "lost"], // ER_SERVER_SHUTDOWN
  [1080, "lost"], // ER_FORCING_CLOSE
  [1152, "lost"], // ER_ABORTING_CONNECTION
  [1158, "lost"], // ER_NET_READ_ERROR, and the three that follow it
  [1159, "lost"],
  [1160, "lost"],
  [1161, "lost"],
  [1180, "lost"], // ER_ERROR_DURING_COMMIT
  [1184, "lost"], // ER_NEW_ABORTING_CONNECTION
  [1317, "lost"], // ER_QUERY_INTERRUPTED: a commit may have been past that
  [1927, "lost"], // ER_CONNECTION_KILLED of MariaDB
]);

export function failure(error: unknown): Failure {
  if (typeof error !== "object" || error === null) return "lost";
  const { errno, sqlState } = error as Readonly<Record<string, unknown>>;
  if (typeof errno !== "number" || typeof sqlState !== "string") return "lost";
  return failures.get(errno) ?? "other";
}
