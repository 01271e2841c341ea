/**
 * What a transaction of the guard is bounded by, and the two advisory locks that it shares or holds.
 *
 * The first is the queue of the row: a claim that waits for a row alone is passed by every later writer that may share
 * it, for ever under a steady load; here they queue behind it. The second carries the token, so that whoever is
 * blocked can name the holder without any privilege.
 */

import type { Lock, Fragment } from "../sql/dialect.js";
import type { SqlValue } from "../sql/session.js";

/** Above every token, and far from what people choose by hand. */
export const tokenTag: bigint = 755n << 53n;

/** Where two rows share a key by chance, their writers wait for each other's claims, and no more. */
export const rowKey: string = "hashtextextended(?, 0)";

/** Shared, as the columns of a SELECT, with the values of `lockKeys`. */
export const queue: string = `pg_advisory_xact_lock_shared(${rowKey}), pg_advisory_xact_lock_shared(?::bigint)`;

export function lockKeys({ id, token }: Lock): readonly SqlValue[] {
  return [id, String(tokenTag + BigInt(token))];
}

/**
 * The columns of a SELECT: for a session that can prepare, three `SET LOCAL` are three statements of which no two are the
 * same. `statement_timeout` counts from the next statement on.
 */
export function limits(limitMs: number): Fragment {
  const settings = ["lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"];
  return {
    text: settings.map((name) => `set_config('${name}', ?, true) AS ${name}`).join(", "),
    values: settings.map(() => String(limitMs)),
  };
}
