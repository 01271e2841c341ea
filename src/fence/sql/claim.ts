/**
 * The claim: looks, and raises the watermark under an exclusive lock.
 *
 * A claim that is refused, or that comes twice, needs no lock that writers would have to
 * wait for. Only one that raises waits for them, no longer than `claimLockTimeoutMs`.
 */

import { freshId } from "../../base/random.js";
import { createError } from "../../errors/index.js";
import type { Claimant, Fence } from "../fence.js";
import { type ClaimDecision, type ClaimOptions, decideClaim } from "../guard.js";
import { checkFence } from "../row.js";
import { refuseClaim, toClaimant } from "../writer.js";
import { blockedError, evict } from "./blocked.js";
import { limitOf } from "../limit.js";
import type { SqlResource } from "./resource.js";
import type { Statement } from "./session.js";
import { decodeFenceRow, decodeHighest, type FenceRow } from "./rows.js";
import { emptyRing, insertRow, selectHighest, selectRow, updateRow } from "./statements.js";
import { rowId } from "../keys.js";
import { type Failed, guardFailed, inTransaction, type Site, type Transaction } from "./transaction.js";

/** In whose name something is done, and by which row it is decided. */
export interface Standing {
  readonly claimant: Claimant;
  readonly fence: Fence;
  /** The key of the row. */
  readonly id: string;
}

export interface Claimed extends Standing {
  readonly generation: string;
  /** The highest number applied under this claim. */
  readonly seq: number;
}

/** Of a leader elsewhere: it cannot say what is left of its term, and nobody tells it of a higher token but by an answer. */
export function standingOf(resource: string, fence: Fence): Standing {
  return { claimant: { fence }, fence, id: rowId(resource, fence) };
}

type Won = Pick<Claimed, "generation" | "seq">;
/** `again`: somebody else was there in between. */
type Round = Won | "again" | { readonly blocked: Failed } | { readonly noTables: Failed };

interface Claiming<T> {
  readonly resource: SqlResource<T>;
  readonly claimant: Claimant;
  readonly fence: Fence;
  readonly id: string;
  readonly limitMs: number;
  readonly stillWanted: () => void;
}

/** Each round means that another claim came in between. */
const longestDispute = 10;

export async function claimSql<T>(
  resource: SqlResource<T>,
  claimed: Claimant | Fence,
  { signal }: ClaimOptions,
): Promise<Claimed> {
  const claimant = toClaimant(claimed);
  const fence = checkFence(claimant.fence);
  const { options } = resource;
  const id = rowId(options.resource, fence);
  const limitMs = Math.min(options.claimLockTimeoutMs, limitOf(options, claimant));
  const stillWanted = () => signal?.throwIfAborted();
  const claiming = { resource, claimant, fence, id, limitMs, stillWanted };
  let mayCreate = options.create;
  let mayEvict = options.evictStale;
  for (let rounds = 0; rounds < longestDispute; rounds += 1) {
    stillWanted();
    const round = await claimOnce(claiming);
    if (round === "again") continue;
    if ("generation" in round) return { claimant, fence, id, ...round };
    if ("noTables" in round) {
      if (!mayCreate) throw guardFailed(options.resource, round.noTables);
      mayCreate = false;
      await createTables(resource, options.timeoutMs, resource.dialect.schema(options.tables));
      continue;
    }
    const lock = { id, token: fence.token };
    if (!mayEvict) throw await blockedError(resource, lock, limitMs, round.blocked.cause);
    mayEvict = false;
    await evict(resource, lock, limitMs);
  }
  throw createError(
    "GUARD_CONTENDED",
    `"${options.resource}" was claimed ${longestDispute} times before this claim could be`,
  );
}

async function claimOnce<T>(claiming: Claiming<T>): Promise<Round> {
  const { resource, fence, id, limitMs } = claiming;
  const { dialect, options } = resource;
  return inTransaction(resource, limitMs, async (transaction) => {
    const begin = dialect.begin("claim", limitMs, "read committed");
    const looked = await transaction.run([...begin, selectRow(options.tables, id)]);
    if ("failure" in looked) return failedRound(resource, looked);
    const found = decodeFenceRow(options.resource, looked.answers.at(-1));
    const decided = grant(claiming, decideClaim(found?.row, fence));
    return found !== undefined && decided === found.row
      ? repeat(claiming, transaction)
      : raise(claiming, transaction);
  });
}

/** The row to stand. Throws the refusal. */
function grant<T>({ resource, claimant }: Claiming<T>, decision: ClaimDecision): FenceRow["row"] {
  if (decision.kind === "claimed") return decision.row;
  throw refuseClaim(resource.options.resource, claimant, decision.refusal);
}

/** Shares the lock with writers and commits: whatever the first claim's commit left undone is durable then. */
async function repeat<T>(claiming: Claiming<T>, transaction: Transaction<T>): Promise<Round> {
  const { resource, fence, id, limitMs } = claiming;
  const { dialect, options } = resource;
  const lock = dialect.lockShared(options.tables, { id, token: fence.token });
  const ran = await transaction.run([...lock, selectHighest(options.tables, id)]);
  if ("failure" in ran) return failedRound(resource, ran);
  const found = decodeFenceRow(options.resource, ran.answers.at(-2));
  const seq = decodeHighest(ran.answers.at(-1));
  const row = grant(claiming, decideClaim(found?.row, fence));
  if (found === undefined || found.row !== row || seq === undefined) {
    // What was seen a moment ago is gone, or its ring is: that takes the other lock.
    await transaction.rollback();
    return raise(claiming, transaction, dialect.begin("claim", limitMs, "read committed"));
  }
  const committed = await transaction.commit();
  return "failure" in committed ? unconfirmed(resource, committed) : { generation: found.generation, seq };
}

async function raise<T>(
  claiming: Claiming<T>,
  transaction: Transaction<T>,
  begin: readonly Statement[] = [],
): Promise<Round> {
  const { resource, fence, id } = claiming;
  const { dialect, options } = resource;
  const { tables } = options;
  const lock = dialect.lockExclusive(tables, { id, token: fence.token });
  const locked = await transaction.run([...begin, ...lock, selectHighest(tables, id)]);
  if ("failure" in locked) return failedRound(resource, locked);
  const found = decodeFenceRow(options.resource, locked.answers.at(-2));
  const seq = decodeHighest(locked.answers.at(-1));
  const row = grant(claiming, decideClaim(found?.row, fence));
  const generation = found?.generation ?? freshId();
  claiming.stillWanted();
  // The same claim, made by another call meanwhile: its numbers count already.
  const stands = found !== undefined && found.row === row && seq !== undefined;
  const put =
    found === undefined
      ? insertRow(tables, id, options.resource, fence, row, generation)
      : updateRow(tables, id, row);
  const committed = await transaction.commit(stands ? [] : [put, ...emptyRing(tables, id)]);
  if ("failure" in committed) return unconfirmed(resource, committed);
  return { generation, seq: stands ? seq : 0 };
}

function failedRound<T>({ options }: SqlResource<T>, failed: Failed): Round {
  if (failed.failure === "locked") return { blocked: failed };
  if (failed.failure === "taken" || failed.failure === "again") return "again";
  if (failed.failure === "tables-missing") return { noTables: failed };
  throw guardFailed(options.resource, failed);
}

function unconfirmed<T>({ options }: SqlResource<T>, failed: Failed): Round {
  if (failed.failure === "taken" || failed.failure === "again") return "again";
  if (failed.failure !== "lost") throw guardFailed(options.resource, failed);
  throw createError("CLAIM_UNCONFIRMED", `the claim of "${options.resource}" may have been made`, {
    cause: failed.cause,
  });
}

/** What somebody else makes at the same time fails here and is found afterwards. Throws GUARD_FAILED. */
export async function createTables<T>(
  site: Site<T>,
  limitMs: number,
  schema: readonly string[],
): Promise<void> {
  await inTransaction(site, limitMs, async (transaction) => {
    for (const text of schema) {
      const ran = await transaction.run([{ text }]);
      if (!("failure" in ran) || ran.failure === "taken") continue;
      throw guardFailed(site.resource, ran);
    }
  });
}
