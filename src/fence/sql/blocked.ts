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
  const { blockers } = resource.dialect;
  if (blockers === undefined) return;
  const statements = await blockers.evict(lock, async () => {
    const found = await findBlockers(resource, lock);
    return found.filter(({ token }) => token < lock.token).map(({ session }) => session);
  });
  await inTransaction(resource, limitMs, async (transaction) => {
    for (const statement of statements) {
      const ran = await transaction.run([statement]);
      if ("failure" in ran && ran.failure !== "gone") throw guardFailed(resource.options.resource, ran);
    }
  });
}

/** None where the database cannot say, or does not answer. */
async function findBlockers<T>(resource: SqlResource<T>, lock: Lock): Promise<readonly ClaimBlocker[]> {
  const { dialect, options } = resource;
  const { blockers } = dialect;
  if (blockers === undefined) return [];
  return inTransaction(resource, options.claimLockTimeoutMs, async (transaction) => {
    const ran = await transaction.run(blockers.find(options.tables, lock));
    return "failure" in ran ? [] : blockers.held(ran.answers).map(toBlocker);
  });
}

function toBlocker({ session, token, since }: Answer["rows"][number]): ClaimBlocker {
  const named = { session: Number(session), token: Number(token) };
  return typeof since === "string" ? { ...named, since } : named;
}

function say({ session, token, since }: ClaimBlocker): string {
  return `session ${session} under token ${token}${since === undefined ? "" : ` since ${since}`}`;
}
