/**
 * Values as literals: a message with several statements takes no parameters.
 *
 * What is more than plain characters is written as its bytes, since quotes and backslashes mean one thing or another by
 * `sql_mode`, and letters by the character set of the connection.
 */

import type { SqlValue, Statement } from "../sql/session.js";

export function inlined({ text, values = [] }: Statement): string {
  let next = 0;
  return text.replace(/\?/g, () => literal(values[next++] ?? null));
}

function literal(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return /^[\w .:/-]*$/.test(value) ? `'${value}'` : `_utf8mb4 X'${hex(value)}'`;
}

/** As `HEX()` of the server says it. */
export function hex(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
}
