/** An operator's acts in a database: lock, look, decide, and one commit for row and record. */

import { createError } from "../../errors/index.js";
import type { Acted, FenceAct } from "../acts.js";
import { createOperator, type FenceOperator, verifyNamespace } from "../operator.js";
import type { GuardRow } from "../row.js";
import { actsOf, actStatements, decodeActs, removeStatements } from "./acts.js";
import { blockedError } from "./blocked.js";
import { selectActs } from "./looking.js";
import type { SqlResource } from "./resource.js";
import { decodeFenceRow } from "./rows.js";
import { rowId } from "../keys.js";
import { type Failed, guardFailed, inTransaction, mayBeAgain } from "./transaction.js";

/** Each round means that a claim came in between. */
const longestDispute = 10;

/** Compares with no token: it holds the lock in nobody's name. */
const noToken = 0;

export function sqlOperator<T>(resource: SqlResource<T>): FenceOperator {
  const { dialect, options } = resource;
  const { tables, resource: name, timeoutMs } = options;
  return createOperator({
    async acts() {
      return inTransaction(resource, timeoutMs, async (transaction) => {
        const begin = dialect.begin("read", timeoutMs, "read committed");
        const found = decodeActs((await transaction.ask([...begin, selectActs(tables, name)])).at(-1));
        return actsOf(name, found);
      });
    },
    async change(row, decide) {
      const id = rowId(name, row);
      for (let rounds = 0; rounds < longestDispute; rounds += 1) {
        const acted = await actOnce(resource, id, decide);
        if (acted !== "again") return acted;
      }
      const message = `"${name}" was claimed ${longestDispute} times before this could be done`;
      throw createError("GUARD_CONTENDED", message);
    },
    async remove(row) {
      await inTransaction(resource, timeoutMs, async (transaction) => {
        const begin = dialect.begin("write", timeoutMs, "read committed");
        await transaction.ask(begin);
        const own = name === verifyNamespace;
        const removed = await transaction.commit(removeStatements(tables, name, rowId(name, row), own));
        if ("failure" in removed) throw guardFailed(name, removed);
      });
    },
  });
}

async function actOnce<T>(
  resource: SqlResource<T>,
  id: string,
  decide: (row: GuardRow | undefined) => Acted,
): Promise<FenceAct | "again"> {
  const { dialect, options } = resource;
  const { tables, resource: name, claimLockTimeoutMs: limitMs } = options;
  const lock = { id, token: noToken };
  const outcome = await inTransaction(resource, limitMs, async (transaction) => {
    const begin = dialect.begin("claim", limitMs, "read committed");
    const locked = await transaction.run([...begin, ...dialect.lockExclusive(tables, lock)]);
    if ("failure" in locked) return locked;
    const acted = decide(decodeFenceRow(name, locked.answers.at(-1))?.row);
    const committed = await transaction.commit(actStatements(tables, name, id, acted));
    if (!("failure" in committed)) return acted.act;
    if (committed.failure !== "lost") return committed;
    const message = `what was done to "${name}" may have been done`;
    throw createError("ACT_UNCONFIRMED", message, { cause: committed.cause });
  });
  return "failure" in outcome ? failed(resource, outcome, id, limitMs) : outcome;
}

async function failed<T>(
  resource: SqlResource<T>,
  outcome: Failed,
  id: string,
  limitMs: number,
): Promise<"again"> {
  const { failure, cause } = outcome;
  if (mayBeAgain(outcome)) return "again";
  if (failure !== "locked") throw guardFailed(resource.options.resource, outcome);
  throw await blockedError(resource, { id, token: noToken }, limitMs, cause, "an act on");
}
