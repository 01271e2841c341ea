/** What stands in the way of a claim: named, and ended where that was asked for. */

import { type ClaimBlocker, createError, type TenureError } from "../../errors/index.js";
import type { Lock } from "./dialect.js";
import type { SqlResource } from "./resource.js";
import type { Answer } from "./session.js";
import { guardFailed, inTransaction } from "./transaction.js";

/** CLAIM_BLOCKED, with those who could be found. */
export async function blockedError<T>(
  resource: SqlResource<T>,
  lock: Lock,
  waitedMs: number,
  cause: unknown,
  what = "the claim of",
): Promise<TenureError> {
  const blockers = await findBlockers(resource, lock);
  const names =
    blockers.map(say).join(", ") || "a transaction that is over by now, or that takes no part in this";
  const message = `${what} "${resource.options.resource}" waited ${waitedMs} ms for ${names}`;
  return createError("CLAIM_BLOCKED", message, { cause, fields: { blockers } });
}

/** Ends the sessions that hold the lock under a lower token, and no other. */
export async function evict<T>(resource: SqlResource<T>, lock: Lock, limitMs: number): Promise<void> {
  const { dialect, options } = resource;
  if (dialect.blockers === undefined) return;
  const statement = dialect.blockers.evict(lock);
  await inTransaction(resource, limitMs, async (transaction) => {
    const ran = await transaction.run([statement]);
    if ("failure" in ran) throw guardFailed(options.resource, ran);
  });
}

/** None where the database cannot say, or does not answer. */
async function findBlockers<T>(resource: SqlResource<T>, lock: Lock): Promise<readonly ClaimBlocker[]> {
  const { dialect, options } = resource;
  if (dialect.blockers === undefined) return [];
  const statement = dialect.blockers.find(lock);
  return inTransaction(resource, options.claimLockTimeoutMs, async (transaction) => {
    const ran = await transaction.run([statement]);
    return "failure" in ran ? [] : (ran.answers.at(-1)?.rows ?? []).map(toBlocker);
  });
}

function toBlocker({ session, token, since }: Answer["rows"][number]): ClaimBlocker {
  const named = { session: Number(session), token: Number(token) };
  return typeof since === "string" ? { ...named, since } : named;
}

function say({ session, token, since }: ClaimBlocker): string {
  return `session ${session} under token ${token}${since === undefined ? "" : ` since ${since}`}`;
}
