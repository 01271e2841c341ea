/** An operator's acts on a SQLite file, and what those see who only look. */

import { createError, TenureError } from "../../errors/index.js";
import type { ElectionRow } from "../cell.js";
import { createOperator, type FenceOperator, verifyNamespace } from "../operator.js";
import { actsOf, actStatements, decodeActs, removeStatements } from "../sql/acts.js";
import { decodeInspection, inspectStatements } from "../sql/inspect.js";
import { selectActs } from "../sql/looking.js";
import { decodeFenceRow } from "../sql/rows.js";
import type { Answer, Statement } from "../sql/session.js";
import { selectRow } from "../sql/statements.js";
import { rowId } from "../keys.js";
import type { SqliteResource } from "./claim.js";
import { run, type SqliteDatabase, sqliteFailed } from "./database.js";
import { inTransaction } from "./transaction.js";

export function inspectSqlite<D extends SqliteDatabase>({
  database,
  options,
}: SqliteResource<D>): readonly ElectionRow[] {
  const { resource, tables } = options;
  return decodeInspection(resource, look(database, resource, inspectStatements(tables, resource)));
}

/** One snapshot without the lock of writers. Throws GUARD_FAILED. */
export function look(
  database: SqliteDatabase,
  resource: string,
  statements: readonly Statement[],
): readonly Answer[] {
  try {
    database.exec("BEGIN");
    try {
      return statements.map((statement) => run(database, statement));
    } finally {
      database.exec("ROLLBACK");
    }
  } catch (cause) {
    throw sqliteFailed(resource, cause);
  }
}

export function sqliteOperator<D extends SqliteDatabase>(resource: SqliteResource<D>): FenceOperator {
  const { database, options } = resource;
  const { resource: name, tables } = options;
  return createOperator({
    async acts() {
      const [found] = look(database, name, [selectActs(tables, name)]);
      return actsOf(name, decodeActs(found));
    },
    async change(row, decide) {
      const id = rowId(name, row);
      return durably(resource, () => {
        const acted = decide(decodeFenceRow(name, run(database, selectRow(tables, id)))?.row);
        for (const statement of actStatements(tables, name, id, acted)) run(database, statement);
        return acted.act;
      });
    },
    async remove(row) {
      const statements = removeStatements(tables, name, rowId(name, row), name === verifyNamespace);
      await durably(resource, () => {
        for (const statement of statements) run(database, statement);
      });
    },
  });
}

/** One transaction under the lock of writers, on disk before it is answered. */
async function durably<D extends SqliteDatabase, R>(
  { database, clock, options }: SqliteResource<D>,
  work: () => R,
): Promise<R> {
  const { resource: name, claimLockTimeoutMs: limitMs } = options;
  const waiting = { clock, limitMs, signal: undefined, durable: true };
  const own = (): { readonly commit: true; readonly value: R } => {
    try {
      return { commit: true, value: work() };
    } catch (cause) {
      throw TenureError.is(cause) ? cause : sqliteFailed(name, cause);
    }
  };
  const outcome = await inTransaction(database, waiting, own);
  if (outcome.kind === "done") return outcome.value;
  const { cause } = outcome;
  if (outcome.kind === "failed" && outcome.lost) {
    throw createError("ACT_UNCONFIRMED", `what was done to "${name}" may have been done`, { cause });
  }
  throw sqliteFailed(name, cause);
}
