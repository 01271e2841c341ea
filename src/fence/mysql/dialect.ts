/**
 * How MySQL and MariaDB begin, lock and fail, in words that both understand.
 *
 * InnoDB serves those who wait for a row in turn, so a claim is not passed by later
 * writers. Who holds a row is told to roles with special rights alone. So each write
 * leaves the number of its session in the row of its number, and whoever asks compares
 * that row as it is with what of it is committed: where they differ, a write is under way.
 */

import type { Answer, Statement } from "../sql/session.js";
import type { Dialect, Isolation, Purpose } from "../sql/dialect.js";
import { selectRow } from "../sql/statements.js";
import type { Tables } from "../sql/tables.js";
import { failure } from "./failure.js";
import { schema } from "./schema.js";
import { setting } from "./settings.js";

export const mysqlDialect: Dialect = {
  kind: "mysql",
  begin,
  commit: { text: "COMMIT", control: "commit" },
  rollback: { text: "ROLLBACK", control: "rollback" },
  lockShared: (tables, lock) => [selectRow(tables, lock.id, " LOCK IN SHARE MODE")],
  lockExclusive: (tables, lock) => [selectRow(tables, lock.id, " FOR UPDATE")],
  // A savepoint goes with its transaction, however that ends: in another one, or in none, there is nothing to release.
  witness: {
    ask: { text: "SAVEPOINT tenure_write" },
    check: () => ({ text: "RELEASE SAVEPOINT tenure_write" }),
  },
  // No `atOnce`: MySQL locks the row that an UPDATE finds by its key, and asks for its other conditions then.
  mark: () => ({ text: ", holder = CONNECTION_ID(), held_since = UTC_TIMESTAMP(3)", values: [] }),
  blockers: {
    find: (tables, { id }) => [...looking("READ UNCOMMITTED", writing(tables, id)), ...lookAgain(tables, id)],
    held: ([standing, committed]) => underWay(standing, committed),
    // The number of a session comes from the server, and is never given again.
    evict: async (_, stale) => (await stale()).map((session) => ({ text: `KILL CONNECTION ${session}` })),
  },
  failure,
  schema,
  quote: (name) => `\`${name}\``,
};

/** The settings come first: what is set for one transaction has to be set right before it. */
function begin(purpose: Purpose, limitMs: number, isolation: Isolation): readonly Statement[] {
  return [
    { text: setting(limitMs), control: "begin" },
    { text: transaction(isolation.toUpperCase(), purpose === "read" ? "READ ONLY" : "READ WRITE") },
  ];
}

function transaction(isolation: string, access: string): string {
  return `SET TRANSACTION ISOLATION LEVEL ${isolation}, ${access}`;
}

function looking(isolation: string, look: Statement): readonly Statement[] {
  return [{ text: transaction(isolation, "READ ONLY") }, { text: "START TRANSACTION" }, look];
}

function writing({ attempt, fence }: Tables, id: string): Statement {
  return {
    text:
      "SELECT a.slot AS slot, a.seq AS seq, a.holder AS session, f.watermark AS token," +
      " DATE_FORMAT(a.held_since, '%Y-%m-%dT%H:%i:%s.%fZ') AS since" +
      ` FROM ${attempt} AS a JOIN ${fence} AS f ON f.id = a.fence WHERE a.fence = ? AND a.holder IS NOT NULL`,
    values: [id],
    answer: "rows",
  };
}

function lookAgain({ attempt }: Tables, id: string): readonly Statement[] {
  const text = `SELECT slot, seq FROM ${attempt} WHERE fence = ?`;
  return [{ text: "COMMIT" }, ...looking("READ COMMITTED", { text, values: [id], answer: "rows" })];
}

/** A write raises the number of its row. */
function underWay(standing: Answer | undefined, committed: Answer | undefined): Answer["rows"] {
  const numbers = new Map(committed?.rows.map(({ slot, seq }) => [Number(slot), Number(seq)]));
  return standing?.rows.filter(({ slot, seq }) => numbers.get(Number(slot)) !== Number(seq)) ?? [];
}
