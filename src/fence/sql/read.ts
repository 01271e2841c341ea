/** One read: a snapshot, and the look whether this term may still use the resource, in one transaction. */

import { refuseUse } from "../guard.js";
import type { Writer } from "../writer.js";
import type { ReadAnswer } from "../receiving.js";
import type { Standing } from "./claim.js";
import { limitOf } from "../limit.js";
import type { SqlResource } from "./resource.js";
import { decodeFenceRow } from "./rows.js";
import { selectRow } from "./statements.js";
import { inTransaction, type Transaction } from "./transaction.js";

/** Rejects with the refusal, and with what `body` throws. */
export async function readSql<T, R>(
  resource: SqlResource<T>,
  claimed: Standing,
  writer: Writer,
  body: (transaction: Transaction<T>) => R | Promise<R>,
): Promise<R> {
  const answer = await lookSql(resource, claimed, body);
  if (answer.kind === "refused") throw writer.refuse(answer.refusal);
  return answer.result;
}

/** Rejects with what `body` throws. */
export async function lookSql<T, R>(
  resource: SqlResource<T>,
  { id, claimant, fence }: Standing,
  body: (transaction: Transaction<T>) => R | Promise<R>,
): Promise<ReadAnswer<R>> {
  const { dialect, options } = resource;
  const limitMs = limitOf(options, claimant);
  return inTransaction(resource, limitMs, async (transaction) => {
    const begin = dialect.begin("read", limitMs, "repeatable read");
    const answers = await transaction.ask([...begin, selectRow(options.tables, id)]);
    const refusal = refuseUse(decodeFenceRow(options.resource, answers.at(-1))?.row, fence);
    if (refusal !== undefined) return { kind: "refused", refusal };
    return { kind: "read", result: await body(transaction) };
  });
}
