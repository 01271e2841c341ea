/**
 * The check as one statement, for a transaction that somebody else opened: an ORM's, a query builder's.
 *
 * Neither server can raise an error of one's choice inside of a SELECT. Both refuse a name
 * that is too long for a user lock, and quote it; the lock of that name is only asked about.
 */

import type { Claimed } from "../sql/claim.js";
import { storeText, type Tables } from "../sql/tables.js";
import { hex, inlined } from "./literal.js";

/** One SQL statement that fails when this term may not write any more. */
export interface FenceStatement {
  /** With `?` where `values` belong. */
  readonly text: string;
  readonly values: readonly (string | number)[];
  /** The same with its values as literals, for what takes no parameters. */
  readonly inline: string;
}

/** Locks the row as a write does and compares it, by bytes. */
export function fenceStatement(
  { fence }: Tables,
  { id, fence: { lineage, token, owner } }: Claimed,
  limitMs: number,
): FenceStatement {
  const values = [hex(storeText(lineage)), token, hex(storeText(owner)), id];
  const text = `SELECT CASE
  WHEN HEX(held.lineage) = ? AND held.watermark = ? AND HEX(held.owner) = ? THEN 0
  ELSE IS_FREE_LOCK(RPAD(CONCAT('TENURE_REFUSED: ',
    COALESCE(CONCAT('claimed under token ', held.watermark, ' by ', held.owner), 'never claimed')), 250, ' '))
END AS fenced
FROM (SELECT 1 AS one) AS asked LEFT JOIN ${fence} AS held ON held.id = ?
LOCK IN SHARE MODE /*M!100300 WAIT ${Math.ceil(limitMs / 1_000)} */`;
  return { text, values, inline: inlined({ text, values }) };
}
