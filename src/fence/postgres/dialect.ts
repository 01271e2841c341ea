/**
 * How PostgreSQL begins, locks and fails.
 *
 * A writer shares two advisory locks (`locks.ts`) and then the row itself, which is what fences, whoever takes part.
 */

import type { Dialect, Failure, Isolation, Purpose } from "../sql/dialect.js";
import type { Statement } from "../sql/session.js";
import { selectRow } from "../sql/statements.js";
import { limits, lockKeys, queue, rowKey, tokenTag } from "./locks.js";
import { schema } from "./schema.js";
import { awaitNumber, naming, takeAtOnce } from "./take.js";

export const postgresDialect: Dialect = {
  kind: "postgres",
  begin,
  commit: { text: "COMMIT", control: "commit" },
  rollback: { text: "ROLLBACK", control: "rollback" },
  lockShared: (tables, lock) => [
    { text: `SELECT ${queue}`, values: lockKeys(lock), answer: "rows" },
    selectRow(tables, lock.id, " FOR SHARE"),
  ],
  lockExclusive: (tables, lock) => [
    { text: `SELECT pg_advisory_xact_lock(${rowKey})`, values: [lock.id], answer: "rows" },
    selectRow(tables, lock.id, " FOR UPDATE"),
  ],
  atOnce: (tables, taking) => [beginning("READ WRITE", taking.isolation), takeAtOnce(tables, taking)],
  mark: naming,
  awaitNumber,
  // In another transaction, or in none, the division fails before the commit.
  witness: {
    check: (name) => ({
      text: "SELECT 1 / CASE WHEN coalesce(txid_current_if_assigned()::text, '') = ? THEN 1 ELSE 0 END",
      values: [name],
      answer: "rows",
      witness: "proves",
    }),
  },
  blockers: {
    find: (_, lock) => [
      {
        text:
          `SELECT h.pid::text AS session, h.token::text AS token,` +
          ` to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS since` +
          ` FROM (${holders}) AS h LEFT JOIN pg_stat_activity AS a ON a.pid = h.pid ORDER BY h.token, h.pid`,
        values: [lock.id],
        answer: "rows",
      },
    ],
    held: (answers) => answers.at(-1)?.rows ?? [],
    evict: async (lock) => [
      {
        text: `SELECT pg_terminate_backend(h.pid) FROM (${holders}) AS h WHERE h.token < ?`,
        values: [lock.id, lock.token],
        answer: "rows",
      },
    ],
  },
  failure,
  schema,
  quote: (name) => `"${name}"`,
};

/** Of a journal: a claim waits for the disk whatever the database's settings say, and so does every write. */
export const durableDialect: Dialect = {
  ...postgresDialect,
  begin: (purpose, ...how) => [...begin(purpose, ...how), ...(purpose === "write" ? [durably] : [])],
  atOnce: (tables, taking) => [
    beginning("READ WRITE", taking.isolation),
    durably,
    takeAtOnce(tables, taking),
  ],
};

/** Sessions that hold the row's lock and name a token. A key of 64 bits stands in two columns of 32. */
const key = "((l.classid::bigint << 32) | l.objid::bigint)";
const advisory =
  "l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted" +
  " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())";
const tokens = `SELECT l.pid, ${key} - ${tokenTag} AS token FROM pg_locks AS l WHERE ${advisory} AND ${key} >= ${tokenTag}`;
const holders =
  `SELECT t.pid, t.token FROM (${tokens}) AS t WHERE t.pid <> pg_backend_pid() AND t.pid IN` +
  ` (SELECT l.pid FROM pg_locks AS l WHERE ${advisory} AND ${key} = ${rowKey})`;

function begin(purpose: Purpose, limitMs: number, isolation: Isolation): readonly Statement[] {
  const { text, values } = limits(limitMs);
  const witness = purpose === "write" ? ", txid_current()::text AS witness" : "";
  return [
    beginning(purpose === "read" ? "READ ONLY" : "READ WRITE", isolation),
    { text: `SELECT ${text}${witness}`, values, answer: "rows" },
    ...(purpose === "claim" ? [durably] : []),
  ];
}

function beginning(access: string, isolation: Isolation): Statement {
  return { text: `BEGIN ISOLATION LEVEL ${isolation.toUpperCase()} ${access}`, control: "begin" };
}

/** An answered claim may not be lost in a crash. Whoever waits for more than the local disk goes on doing so. */
const durably: Statement = {
  text:
    "SELECT set_config('synchronous_commit'," +
    " CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END," +
    " true)",
  answer: "rows",
};

const failures: ReadonlyMap<string, Failure> = new Map<string, Failure>([
  ["23505", "taken"],
  ["42P07", "taken"], // a table that stands already
  ["42710", "taken"], // its type, made by somebody else at the same moment
  ["40001", "again"],
  ["40P01", "again"],
  ["55P03", "locked"],
  ["57014", "locked"], // statement_timeout
  ["25P03", "ended"], // idle_in_transaction_session_timeout: it came before the statement
  ["42P01", "tables-missing"],
  ["3F000", "tables-missing"],
  ["26000", "unprepared"],
  ["42P05", "unprepared"],
  ["40003", "lost"],
]);

/** Connection failures, shutdowns, crashes of the server: a commit may have been done before them. */
const lostClasses: readonly string[] = ["08", "57", "58", "XX"];

function failure(error: unknown): Failure {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code) || !isServerError(error)) return "lost";
  return failures.get(code) ?? (lostClasses.includes(code.slice(0, 2)) ? "lost" : "other");
}

/** Errors of the server carry a severity; those of sockets and clients do not, and some of their codes have five letters. */
function isServerError(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error;
}
