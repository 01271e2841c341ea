/** One numbered write, and one read: the lock of the file, the decision, the body, the commit, all in one go. */

import { optionError } from "../../base/options.js";
import { isThenable } from "../../base/thenable.js";
import { TenureError } from "../../errors/index.js";
import type { Attempt } from "../fence.js";
import { refuseUse, type WriteDecision } from "../guard.js";
import type { ReadAnswer } from "../receiving.js";
import { encodeResult } from "../results.js";
import type { Standing } from "../sql/claim.js";
import { decide, lookStatements, type Numbered, saveStatements, takeStatements } from "../sql/numbered.js";
import { limitOf } from "../limit.js";
import { decodeFenceRow } from "../sql/rows.js";
import { selectMatches, selectRow } from "../sql/statements.js";
import type { WriteAnswer, WriteOptions, Writer } from "../writer.js";
import type { SqliteResource } from "./claim.js";
import { run, type SqliteDatabase, sqliteFailed } from "./database.js";
import { inSnapshot } from "./snapshot.js";
import { inTransaction, type Worked } from "./transaction.js";

export async function writeSqlite<D extends SqliteDatabase, R>(
  resource: SqliteResource<D>,
  claimed: Standing,
  writer: Writer,
  { signal, ...options }: WriteOptions,
  body: (database: D) => R,
): Promise<R> {
  return writer.write({ ...options, ...(signal && { signal }) }, async (attempt) =>
    sendSqlite(resource, claimed, { attempt, signal }, body),
  );
}

/** One send of one number, whoever gave it. */
export async function sendSqlite<D extends SqliteDatabase, R>(
  { database, clock, options, durable }: SqliteResource<D>,
  { id, fence, claimant }: Standing,
  { attempt, signal }: { readonly attempt: Attempt; readonly signal: AbortSignal | undefined },
  body: (database: D) => R,
): Promise<WriteAnswer<R>> {
  const numbered = { options, id, fence, attempt };
  const waiting = { clock, limitMs: limitOf(options, claimant), signal, durable };
  const outcome = await inTransaction(database, waiting, () => writeOnce(database, numbered, body));
  if (outcome.kind === "done") return outcome.value;
  if (outcome.kind === "failed" && outcome.lost) return { kind: "unconfirmed", cause: outcome.cause };
  throw sqliteFailed(options.resource, outcome.cause);
}

function writeOnce<D extends SqliteDatabase, R>(
  database: D,
  numbered: Numbered,
  body: (database: D) => R,
): Worked<WriteAnswer<R>> {
  const decision = own(numbered, () => {
    const decided = decideNow(database, numbered);
    if (decided.kind === "apply") for (const statement of takeStatements(numbered)) run(database, statement);
    return decided;
  });
  if (decision.kind !== "apply") return { commit: false, value: decision };
  const result = body(database);
  if (isThenable(result))
    throw optionError("body", result, "a function that returns before anything is awaited");
  const saved = saveStatements(numbered, encodeResult(result));
  return own(numbered, () => {
    for (const statement of saved) run(database, statement);
    // The number stands in this transaction, or in none: a body that rolled back has taken it along.
    const { rows } = run(database, selectMatches(numbered.options.tables, numbered.id, numbered.attempt));
    if (rows.some(({ seq }) => Number(seq) === numbered.attempt.seq)) {
      return { commit: true, value: { kind: "applied", result } };
    }
    throw new Error("the body has ended the transaction");
  });
}

function decideNow(database: SqliteDatabase, numbered: Numbered): WriteDecision {
  const { options, id } = numbered;
  const looked = [selectRow(options.tables, id), ...lookStatements(numbered)];
  return decide(
    numbered,
    looked.map((statement) => run(database, statement)),
  );
}

/** Statements of the guard's own, whose errors are failures of the resource and not of the body. */
function own<R>({ options }: Numbered, action: () => R): R {
  try {
    return action();
  } catch (cause) {
    throw TenureError.is(cause) ? cause : sqliteFailed(options.resource, cause);
  }
}

/** One snapshot without the lock of writers. Rejects with the refusal, and with what `body` throws. */
export async function readSqlite<D extends SqliteDatabase, R>(
  resource: SqliteResource<D>,
  claimed: Standing,
  writer: Writer,
  body: (database: D) => R,
): Promise<R> {
  const answer = await lookSqlite(resource, claimed, body);
  if (answer.kind === "refused") throw writer.refuse(answer.refusal);
  return answer.result;
}

/** Rejects with what `body` throws. */
export async function lookSqlite<D extends SqliteDatabase, R>(
  { database, clock, options }: SqliteResource<D>,
  { id, claimant, fence }: Standing,
  body: (database: D) => R,
): Promise<ReadAnswer<R>> {
  const { resource: name, tables } = options;
  const looking = { database, clock, name, limitMs: limitOf(options, claimant) };
  const read = await inSnapshot(looking, () => {
    const row = decodeFenceRow(name, run(database, selectRow(tables, id)))?.row;
    const refusal = refuseUse(row, fence);
    return refusal === undefined ? outcomeOf(() => body(database)) : { refused: refusal };
  });
  if ("refused" in read) return { kind: "refused", refusal: read.refused };
  if ("thrown" in read) throw read.thrown;
  if (isThenable(read.result))
    throw optionError("body", read.result, "a function that returns before anything is awaited");
  return { kind: "read", result: read.result };
}

/** What a body throws is its own, and no failure of the resource. */
function outcomeOf<R>(body: () => R): { readonly result: R } | { readonly thrown: unknown } {
  try {
    return { result: body() };
  } catch (thrown) {
    return { thrown };
  }
}
