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
import { numberIn } from "../sequence.js";
import {
  decide,
  lookStatements,
  type Numbered,
  rememberStatements,
  saveStatements,
  takeStatements,
  waitStatements,
} from "./numbered.js";
import type { SqlResource } from "./resource.js";
import type { Answer, Statement } from "./session.js";
import {
  answering,
  type Failed,
  guardFailed,
  inTransaction,
  mayBeAgain,
  type Transaction,
} from "./transaction.js";

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
  const numbered = { options, id, fence, attempt, mark: dialect.mark?.(attempt) };
  // Its first send may be under way under the number that its name was drawn for.
  const elsewhere = (numberIn(attempt.opId) ?? attempt.seq) !== attempt.seq;
  const begin = elsewhere || options.order === "strict" ? lookAndTake : takeAtOnce;
  for (let rounds = 0; rounds < longestDispute; rounds += 1) {
    signal?.throwIfAborted();
    const limitMs = limitOf(options, standing.claimant);
    const writing = { resource, standing, numbered, limitMs, body };
    // A number is almost always free, and is taken without a look; whoever was beaten to it looks first.
    const answer = await writeOnce(writing, rounds === 0 ? begin : lookAndTake);
    if (answer !== "again") return answer;
  }
  throw createError(
    "GUARD_CONTENDED",
    `"${options.resource}" was changed ${longestDispute} times before this write could be applied`,
  );
}

/** What a write needs before its body. `witness` names the transaction. */
type Begun =
  | { readonly kind: "taken"; readonly witness: unknown }
  | Exclude<WriteDecision, { readonly kind: "apply" }>
  | "again";

type Begin = <T, R>(writing: Writing<T, R>, transaction: Transaction<T>) => Promise<Begun>;

async function writeOnce<T, R>(writing: Writing<T, R>, begin: Begin): Promise<WriteAnswer<R> | "again"> {
  const { resource, limitMs } = writing;
  return inTransaction(resource, limitMs, async (transaction) => {
    const begun = await begin(writing, transaction);
    if (begun === "again") return "again";
    if (begun.kind === "duplicate") return confirm(resource, transaction, begun);
    if (begun.kind === "refused") return begun;
    const result = await writing.body(transaction);
    const { witness } = resource.dialect;
    const check = witness === undefined ? [] : [witness.check(String(begun.witness))];
    return settle(writing, transaction, check, result);
  });
}

/** In one message without a look, where the database can. */
async function takeAtOnce<T, R>(writing: Writing<T, R>, transaction: Transaction<T>): Promise<Begun> {
  const { resource, standing, numbered, limitMs } = writing;
  const { dialect, options } = resource;
  if (dialect.atOnce === undefined) return lookAndTake(writing, transaction);
  const { id, fence } = standing;
  const taking = { id, fence, attempt: numbered.attempt, limitMs, isolation: options.isolation };
  const taken = await transaction.run([
    ...dialect.atOnce(options.tables, taking),
    ...rememberStatements(numbered),
  ]);
  if ("failure" in taken) return unsent(resource, taken);
  const row = taken.answers.at(-1)?.rows[0];
  return row === undefined ? "again" : { kind: "taken", witness: row["witness"] };
}

async function lookAndTake<T, R>(writing: Writing<T, R>, transaction: Transaction<T>): Promise<Begun> {
  const { resource, standing, numbered, limitMs } = writing;
  const { dialect, options } = resource;
  const lock = dialect.lockShared(options.tables, { id: standing.id, token: standing.fence.token });
  const opening = [...dialect.begin("write", limitMs, options.isolation), ...lock];
  const waiting = waitStatements(numbered, dialect);
  const looked = await transaction.run([...opening, ...waiting, ...lookStatements(numbered)]);
  if ("failure" in looked) return unsent(resource, looked);
  const looks = looked.answers.slice(answering([...opening, ...waiting]));
  const row = looked.answers[answering(opening) - 1];
  const decision = decide(numbered, [row ?? nothing, ...looks]);
  if (decision.kind !== "apply") return decision;
  const asked = dialect.witness?.ask;
  const took = await transaction.run([...takeStatements(numbered), ...(asked === undefined ? [] : [asked])]);
  if ("failure" in took) return unsent(resource, took);
  if (took.answers[0]?.count !== 1) return "again";
  return { kind: "taken", witness: looked.answers[0]?.rows[0]?.["witness"] };
}

/** Nothing was applied for certain: no commit was sent. */
function unsent<T>({ options }: SqlResource<T>, failed: Failed): "again" {
  if (mayBeAgain(failed)) return "again";
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
): Promise<WriteAnswer<R> | "again"> {
  const { resource, numbered } = writing;
  const saved = saveStatements(numbered, encodeResult(result));
  const committed = await transaction.commit([...check, ...saved]);
  if (!("failure" in committed)) return { kind: "applied", result };
  if (committed.failure === "lost") return { kind: "unconfirmed", cause: committed.cause };
  if (committed.failure === "unprepared") return "again";
  throw guardFailed(resource.options.resource, committed);
}
