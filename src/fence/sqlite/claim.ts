/** The claim: one transaction that looks, decides and raises. */

import type { Clock } from "../../base/clock.js";
import { freshId } from "../../base/random.js";
import { createError } from "../../errors/index.js";
import type { Claimant, Fence } from "../fence.js";
import { type ClaimOptions, decideClaim } from "../guard.js";
import { checkFence } from "../row.js";
import type { Claimed } from "../sql/claim.js";
import type { ResolvedSqlOptions } from "../sql/options.js";
import { decodeFenceRow, decodeHighest } from "../sql/rows.js";
import { emptyRing, insertRow, selectHighest, selectRow, updateRow } from "../sql/statements.js";
import { rowId } from "../keys.js";
import { refuseClaim, toClaimant } from "../writer.js";
import { failureOf, run, type SqliteDatabase, sqliteFailed } from "./database.js";
import { schema } from "./schema.js";
import { inTransaction, type Outcome, type Worked } from "./transaction.js";

export interface SqliteResource<D extends SqliteDatabase> {
  readonly database: D;
  readonly clock: Clock;
  readonly options: ResolvedSqlOptions;
  /** Whether writes are on disk when they are answered, whatever the connection says. Claims always are. */
  readonly durable: boolean;
}

export async function claimSqlite<D extends SqliteDatabase>(
  resource: SqliteResource<D>,
  claimed: Claimant | Fence,
  { signal }: ClaimOptions,
): Promise<Claimed> {
  const claimant = toClaimant(claimed);
  const fence = checkFence(claimant.fence);
  const { database, clock, options } = resource;
  const { resource: name, claimLockTimeoutMs: limitMs } = options;
  const waiting = { clock, limitMs, signal, durable: true };
  let outcome: Outcome<Claimed>;
  try {
    outcome = await inTransaction(database, waiting, () => claimOnce(resource, claimant, fence));
  } catch (cause) {
    throw failureOf(cause) === "tables-missing" ? sqliteFailed(name, cause) : cause;
  }
  if (outcome.kind === "done") return outcome.value;
  const { cause } = outcome;
  if (outcome.kind === "busy") {
    const message = `the claim of "${name}" waited ${limitMs} ms for the lock of the file`;
    throw createError("CLAIM_BLOCKED", message, { cause, fields: { blockers: [] } });
  }
  if (!outcome.lost) throw sqliteFailed(name, cause);
  throw createError("CLAIM_UNCONFIRMED", `the claim of "${name}" may have been made`, { cause });
}

function claimOnce<D extends SqliteDatabase>(
  { database, options }: SqliteResource<D>,
  claimant: Claimant,
  fence: Fence,
): Worked<Claimed> {
  const { resource, tables } = options;
  if (options.create) for (const text of schema(tables)) database.exec(text);
  const id = rowId(resource, fence);
  const found = decodeFenceRow(resource, run(database, selectRow(tables, id)));
  const seq = decodeHighest(run(database, selectHighest(tables, id)));
  const decision = decideClaim(found?.row, fence);
  if (decision.kind === "refused") throw refuseClaim(resource, claimant, decision.refusal);
  const { row } = decision;
  const generation = found?.generation ?? freshId();
  // Also where nothing changes: what the first claim's commit left undone is on disk then.
  const put =
    found === undefined
      ? insertRow(tables, id, resource, fence, row, generation)
      : updateRow(tables, id, row);
  run(database, put);
  const stands = found?.row === row && seq !== undefined;
  if (!stands) for (const statement of emptyRing(tables, id)) run(database, statement);
  return { commit: true, value: { claimant, fence, id, generation, seq: stands ? seq : 0 } };
}
