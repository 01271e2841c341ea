/**
 * All that a write needs before its body, in one statement behind `BEGIN`.
 *
 * A statement of its own for each step costs more than the steps: on the server and in the client, which reads an answer to
 * each. Their order is that of the subqueries: timeouts, the two advisory locks, the row of the claim, and last the row
 * of the number, which is the one to be updated.
 */

import type { Fragment, Taking } from "../sql/dialect.js";
import type { Attempt } from "../fence.js";
import { numberIn, windowSize } from "../sequence.js";
import type { Statement } from "../sql/session.js";
import { storeText, type Tables } from "../sql/tables.js";
import { limits, lockKeys, queue } from "./locks.js";

/** No row where another claim stands, or this number, or one that is 64 or more above it. */
export function takeAtOnce({ fence, attempt }: Tables, taking: Taking): Statement {
  const { id, limitMs } = taking;
  const { v, lineage, token, owner } = taking.fence;
  const { seq, opId } = taking.attempt;
  const own = naming(taking.attempt);
  const queued = limits(limitMs);
  return {
    text:
      `UPDATE ${attempt} AS a SET seq = ?, op = ?, returned = 0, result = NULL${own.text} FROM (` +
      `SELECT f.v, f.lineage, f.watermark, f.owner FROM ${fence} AS f,` +
      ` (SELECT ${queued.text}, ${queue}) AS queued WHERE f.id = ? FOR SHARE OF f` +
      ") AS held WHERE a.fence = ? AND a.slot = ? AND a.seq < ?" +
      " AND held.v = ? AND held.lineage = ? AND held.watermark = ? AND held.owner = ?" +
      " RETURNING txid_current()::text AS witness",
    values: [
      ...[seq, storeText(opId), ...own.values],
      ...[...queued.values, ...lockKeys({ id, token }), id],
      ...[id, seq % windowSize, seq],
      ...[v, storeText(lineage), token, storeText(owner)],
    ],
    answer: "rows",
    witness: "names",
  };
}

/**
 * Only a name that a caller gave is indexed: a fresh one is found by its number, and an update that changes no index
 * is far cheaper.
 */
export function naming({ seq, opId }: Attempt): Fragment {
  return numberIn(opId) === seq
    ? { text: ", given = NULL", values: [] }
    : { text: ", given = ?", values: [storeText(opId)] };
}

/** Where an operation may be under way under the number of its name: answers when that one is over. */
export function awaitNumber({ attempt }: Tables, id: string, seq: number): Statement {
  return {
    text: `SELECT seq FROM ${attempt} WHERE fence = ? AND slot = ? FOR UPDATE`,
    values: [id, seq % windowSize],
    answer: "rows",
  };
}
