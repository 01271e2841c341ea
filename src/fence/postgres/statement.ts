/**
 * The check as one statement, for a transaction that somebody else opened: an ORM's, a query builder's.
 */

import type { Claimed } from "../sql/claim.js";
import type { SqlValue } from "../sql/session.js";
import { claimedWords, type FenceStatement, unclaimedWords } from "../sql/statement.js";
import { storeText, type Tables } from "../sql/tables.js";
import { inlined } from "./literal.js";
import { tokenTag } from "./locks.js";

/**
 * `text` has `$1`, `$2` and so on where `values` belong. Locks the row as a write does and compares it. The cast fails with the reason as its text; it depends on what was
 * read, so that it is not computed before.
 */
export function fenceStatement(
  { fence }: Tables,
  { id, fence: { v, lineage, token, owner } }: Claimed,
  tag: string,
  limitMs: number,
): FenceStatement {
  const values: readonly SqlValue[] = [id, v, storeText(lineage), token, storeText(owner), tag];
  const text = `WITH queued AS MATERIALIZED (
  SELECT pg_advisory_xact_lock_shared(hashtextextended(?1::text, 0)),
    pg_advisory_xact_lock_shared(${tokenTag + BigInt(token)}::bigint),
    set_config('lock_timeout', '${limitMs}', true),
    set_config('idle_in_transaction_session_timeout', '${limitMs}', true)
), held AS MATERIALIZED (
  SELECT f.v, f.lineage, f.watermark, f.owner FROM ${fence} AS f, queued WHERE f.id = ?1::text FOR SHARE OF f
), own AS (
  SELECT 1 FROM held WHERE v = ?2::integer AND lineage = ?3::text AND watermark = ?4::bigint AND owner = ?5::text
)
SELECT CASE
  WHEN EXISTS (SELECT 1 FROM own) THEN 0
  ELSE CAST(coalesce((SELECT '${claimedWords}' || row_to_json(held) FROM held), '${unclaimedWords}')
    || ' [' || ?6::text || ']' AS integer)
END AS fenced`;
  const order: number[] = [];
  const unnumbered = text.replace(/\?(\d)/g, (_, digit) => (order.push(Number(digit) - 1), "?"));
  return {
    text: text.replace(/\?(\d)/g, "$$$1"),
    values: values as readonly (string | number)[],
    inline: inlined({ text: unnumbered, values: order.map((index) => values[index] ?? null) }),
  };
}
