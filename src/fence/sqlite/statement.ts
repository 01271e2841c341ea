/**
 * The check as one statement, for a transaction that somebody else opened: an ORM's, a query builder's.
 *
 * It is an UPDATE, so that it takes the lock of writers before it looks, or fails as busy: no claim can come between it
 * and the end of the transaction. A statement of SQLite can say nothing of its own when it fails, but for one in a
 * trigger; a path of JSON that is none is quoted in the error, so the reason stands there.
 */

import type { Claimed } from "../sql/claim.js";
import type { SqlValue } from "../sql/session.js";
import { claimedWords, type FenceStatement, unclaimedWords } from "../sql/statement.js";
import { storeText, type Tables } from "../sql/tables.js";

/** SQLite doubles the quotes of what it quotes; escaped they stand for themselves. */
const row =
  "replace(json_object('v', v, 'lineage', lineage, 'watermark', watermark, 'owner', owner), '''', '\\u0027')";

/** `text` has `?` where `values` belong, in their order. */
export function fenceStatement(
  { fence }: Tables,
  { id, fence: { v, lineage, token, owner } }: Claimed,
  tag: string,
): FenceStatement {
  const own: readonly SqlValue[] = [id, v, storeText(lineage), token, storeText(owner)];
  const values = [...own, id, id, tag] as readonly (string | number)[];
  const text = `UPDATE ${fence} SET v = v WHERE id = CASE
  WHEN EXISTS (SELECT 1 FROM ${fence} WHERE id = ? AND v = ? AND lineage = ? AND watermark = ? AND owner = ?) THEN ?
  ELSE json_extract('{}', coalesce((SELECT '${claimedWords}' || ${row} FROM ${fence} WHERE id = ?), '${unclaimedWords}')
    || ' [' || ? || ']')
END`;
  let next = 0;
  return { text, values, inline: text.replace(/\?/g, () => literal(values[next++] ?? "")) };
}

function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replace(/'/g, "''")}'`;
}
