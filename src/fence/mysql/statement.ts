/**
 * The check as one statement, for a transaction that somebody else opened: an ORM's, a query builder's.
 *
 * Neither server can raise an error of one's choice inside of a SELECT. Both refuse a name
 * that is too long for a user lock, and quote it; the lock of that name is only asked about.
 */

import type { Claimed } from "../sql/claim.js";
import { type FenceStatement, refusedWords, unclaimedWords } from "../sql/statement.js";
import { storeText, type Tables } from "../sql/tables.js";
import { hex, inlined } from "./literal.js";
import { sayText } from "./said.js";

/** Locks the row as a write does and compares it, by bytes. `text` has `?` where `values` belong. */
export function fenceStatement(
  { fence }: Tables,
  { id, fence: { v, lineage, token, owner } }: Claimed,
  tag: string,
  limitMs: number,
): FenceStatement {
  const own = hex(storeText(lineage));
  const values = [v, own, token, hex(storeText(owner)), v, own, tag, id];
  const text = `SELECT CASE
  WHEN held.v = ? AND HEX(held.lineage) = ? AND held.watermark = ? AND HEX(held.owner) = ? THEN 0
  ELSE IS_FREE_LOCK(RPAD(CONCAT(CASE
    WHEN held.id IS NULL THEN '${unclaimedWords}'
    WHEN held.v <> ? THEN CONCAT('${refusedWords}', 'format ', held.v)
    WHEN HEX(held.lineage) <> ? THEN CONCAT('${refusedWords}', 'lineage ', ${sayText("held.lineage")})
    ELSE CONCAT('${refusedWords}', held.watermark, ' by ', ${sayText("held.owner")})
  END, ' [', ?, ']'), 250, ' '))
END AS fenced
FROM (SELECT 1 AS one) AS asked LEFT JOIN ${fence} AS held ON held.id = ?
LOCK IN SHARE MODE /*M!100300 WAIT ${Math.ceil(limitMs / 1_000)} */`;
  return { text, values, inline: inlined({ text, values }) };
}
