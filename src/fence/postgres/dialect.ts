/**
 * How PostgreSQL begins, locks and fails.
 *
 * A writer shares two locks: the advisory lock of the row, then the row itself. The row's
 * is what fences, whoever takes part. The advisory one is a queue: a claim that waits for
 * a row alone is passed by every later writer that may share it, for ever under a steady
 * load; here they queue behind it. A second advisory lock carries the token, so that
 * whoever is blocked can name the holder without any privilege.
 */

import type { Dialect, Failure, Isolation, Lock, Purpose } from "../sql/dialect.js";
import type { Statement } from "../sql/session.js";
import { selectRow } from "../sql/statements.js";
import { schema } from "./schema.js";

/** Above every token, and far from what people choose by hand. */
export const tokenTag: bigint = 755n << 53n;

export const postgresDialect: Dialect = {
  kind: "postgres",
  begin,
  commit: { text: "COMMIT", control: "commit" },
  rollback: { text: "ROLLBACK", control: "rollback" },
  lockShared: (tables, lock) => [
    {
      text: `SELECT pg_advisory_xact_lock_shared(${rowKey}), pg_advisory_xact_lock_shared(?::bigint)`,
      values: [lock.id, tokenKey(lock)],
      answer: "rows",
    },
    selectRow(tables, lock.id, " FOR SHARE"),
  ],
  lockExclusive: (tables, lock) => [
    { text: `SELECT pg_advisory_xact_lock(${rowKey})`, values: [lock.id], answer: "rows" },
    selectRow(tables, lock.id, " FOR UPDATE"),
  ],
  // In another transaction, or in none, the division fails before the commit.
  witness: {
    check: (name) => ({
      text: "SELECT 1 / CASE WHEN coalesce(txid_current_if_assigned()::text, '') = ? THEN 1 ELSE 0 END",
      values: [name],
      answer: "rows",
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

/** Where two rows share a key by chance, their writers wait for each other's claims, and no more. */
const rowKey = "hashtextextended(?, 0)";

function tokenKey({ token }: Lock): string {
  return String(tokenTag + BigInt(token));
}

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
  const access = purpose === "read" ? "READ ONLY" : "READ WRITE";
  return [
    { text: `BEGIN ISOLATION LEVEL ${isolation.toUpperCase()} ${access}`, control: "begin" },
    limits(limitMs, purpose === "write"),
    ...(purpose === "claim" ? [durably] : []),
  ];
}

/** In one statement that the session can prepare: three `SET LOCAL` cost three, and no two of them are the same. */
function limits(limitMs: number, named: boolean): Statement {
  const settings = ["lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"];
  return {
    text:
      `SELECT ${settings.map((name) => `set_config('${name}', ?, true) AS ${name}`).join(", ")}` +
      (named ? ", txid_current()::text AS witness" : ""),
    values: settings.map(() => String(limitMs)),
    answer: "rows",
  };
}

/** An answered claim may not be lost in a crash. Whoever waits for more than the local disk goes on doing so. */
export const durably: Statement = {
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
