/**
 * One numbered write: lock, decide, take the number, let the body work, commit.
 *
 * Promise: all of it is one transaction, which shares a lock that a claim excludes, so
 * either it is committed before a successor's claim or it is refused; the number is
 * taken before the body runs, so of two sends of one attempt one body runs at a time.
 */

import { createError } from "../../errors/index.js";
import type { Attempt } from "../fence.js";
import type { WriteDecision } from "../guard.js";
import { encodeResult } from "../results.js";
import type { WriteAnswer, WriteOptions, Writer } from "../writer.js";
import type { Standing } from "./claim.js";
import { limitOf } from "../limit.js";
import {
  decide,
  isTaken,
  lookStatements,
  type Numbered,
  saveStatements,
  takeStatements,
} from "./numbered.js";
import type { SqlResource } from "./resource.js";
import type { Answer, Statement } from "./session.js";
import { answering, type Failed, guardFailed, inTransaction, type Transaction } from "./transaction.js";

/** May run statements of its own, and what it is handed to run through the client. */
export type Body<T, R> = (transaction: Transaction<T>) => R | Promise<R>;

interface Writing<T, R> {
  readonly resource: SqlResource<T>;
  readonly standing: Standing;
  readonly numbered: Numbered;
  readonly limitMs: number;
  readonly body: Body<T, R>;
}

const nothing: Answer = { rows: [], count: 0 };

/** Each round means that somebody else was there in between. */
const longestDispute = 10;

export async function writeSql<T, R>(
  resource: SqlResource<T>,
  claimed: Standing,
  writer: Writer,
  { signal, ...options }: WriteOptions,
  body: Body<T, R>,
): Promise<R> {
  return writer.write({ ...options, ...(signal && { signal }) }, async (attempt) =>
    sendSql(resource, claimed, { attempt, signal }, body),
  );
}

/** One send of one number, whoever gave it. */
export async function sendSql<T, R>(
  resource: SqlResource<T>,
  standing: Standing,
  { attempt, signal }: { readonly attempt: Attempt; readonly signal: AbortSignal | undefined },
  body: Body<T, R>,
): Promise<WriteAnswer<R>> {
  const { options, dialect } = resource;
  const { id, fence } = standing;
  const numbered = { options, id, fence, attempt, mark: dialect.mark };
  for (let rounds = 0; rounds < longestDispute; rounds += 1) {
    signal?.throwIfAborted();
    const limitMs = limitOf(options, standing.claimant);
    const writing = { resource, standing, numbered, limitMs, body };
    // A number is almost always free, and is taken without a look; whoever was beaten to it looks first.
    const mayTake = rounds === 0 && options.order === "any" && dialect.looksFirst !== true;
    const answer = await writeOnce(writing, mayTake);
    if (answer !== "again") return answer;
  }
  throw createError(
    "GUARD_CONTENDED",
    `"${resource.options.resource}" was changed ${longestDispute} times before this write could be applied`,
  );
}

async function writeOnce<T, R>(writing: Writing<T, R>, unseen: boolean): Promise<WriteAnswer<R> | "again"> {
  const { resource, standing, numbered, limitMs } = writing;
  const { dialect, options } = resource;
  const { witness } = dialect;
  return inTransaction(resource, limitMs, async (transaction) => {
    const lock = dialect.lockShared(options.tables, { id: standing.id, token: standing.fence.token });
    const opening = [...dialect.begin("write", limitMs, options.isolation), ...lock];
    const looking = lookStatements(numbered);
    const taking = [...takeStatements(numbered), ...(witness?.ask === undefined ? [] : [witness.ask])];
    const opened = await transaction.run([...opening, ...(unseen ? taking : looking)]);
    if ("failure" in opened) return unsent(resource, opened);
    const [row, ...more] = opened.answers.slice(answering(opening) - 1);
    if (!unseen || !isTaken(numbered, row, more[0])) {
      const looked = unseen ? await transaction.run(looking) : { answers: more };
      if ("failure" in looked) return unsent(resource, looked);
      const decision = decide(numbered, [row ?? nothing, ...looked.answers]);
      if (decision.kind === "duplicate") return confirm(resource, transaction, decision);
      if (decision.kind === "refused") return decision;
      if (unseen) return "again";
      const took = await transaction.run(taking);
      if ("failure" in took) return unsent(resource, took);
      if (took.answers[0]?.count !== 1) return "again";
    }
    const result = await writing.body(transaction);
    const name = opened.answers[0]?.rows[0]?.["witness"];
    const check = witness === undefined ? [] : [witness.check(String(name))];
    return settle(writing, transaction, check, result);
  });
}

/** Nothing was applied for certain: no commit was sent. */
function unsent<T>({ options }: SqlResource<T>, failed: Failed): "again" {
  if (failed.failure === "taken" || failed.failure === "again") return "again";
  throw guardFailed(options.resource, failed);
}

/** Commits what shared the lock, so that what the answer rests on is durable before it is given. */
async function confirm<T>(
  { options }: SqlResource<T>,
  transaction: Transaction<T>,
  duplicate: WriteDecision & { readonly kind: "duplicate" },
): Promise<WriteAnswer<never>> {
  const committed = await transaction.commit();
  if (!("failure" in committed)) return duplicate;
  if (committed.failure === "lost") return { kind: "unconfirmed", cause: committed.cause };
  throw guardFailed(options.resource, committed);
}

async function settle<T, R>(
  writing: Writing<T, R>,
  transaction: Transaction<T>,
  check: readonly Statement[],
  result: R,
): Promise<WriteAnswer<R>> {
  const { resource, numbered } = writing;
  const saved = saveStatements(numbered, encodeResult(result));
  const committed = await transaction.commit([...check, ...saved]);
  if (!("failure" in committed)) return { kind: "applied", result };
  if (committed.failure === "lost") return { kind: "unconfirmed", cause: committed.cause };
  throw guardFailed(resource.options.resource, committed);
}
