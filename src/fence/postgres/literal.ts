/**
 * Values as literals, so that several statements go in one message: parameters would take one round trip each.
 *
 * Every value here is a name, a number or a result of ours. `E''` reads the same under every setting of
 * `standard_conforming_strings`.
 */

import { type SqlValue, type Statement } from "../sql/session.js";

/** All of them as one message; the server runs them in order and stops at the first that fails. */
export function inOneMessage(statements: readonly Statement[]): string {
  return statements.map(answered).map(inlined).join(";\n");
}

/** postgres.js tells the results of one message apart by their rows alone, so what is counted answers some. */
export function answered(statement: Statement): Statement {
  return statement.answer === "count"
    ? { ...statement, text: `${statement.text} RETURNING 1 AS one` }
    : statement;
}

export function inlined({ text, values = [] }: Statement): string {
  let next = 0;
  return text.replace(/\?/g, () => literal(values[next++] ?? null));
}

/** With `$1`, `$2` and so on where values belong. */
export function placed(text: string): string {
  let place = 0;
  return text.replace(/\?/g, () => `$${(place += 1)}`);
}

function literal(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `E'${value.replace(/\\/g, "\\\\").replace(/'/g, "''")}'`;
}
