/**
 * Results of pg and postgres.js: one, or as many as the message had statements.
 *
 * pg gives one for every statement. postgres.js begins a new one with every description of
 * rows, so what answers none is lost in the one before; only results with columns count.
 */

import type { Answer } from "../sql/session.js";

type Rows = Answer["rows"];

/** Of pg: an object with `rows` and `fields`. Of postgres.js: an array of rows with `columns`. */
interface Result {
  readonly rows?: Rows;
  readonly fields?: readonly unknown[];
  readonly columns?: readonly unknown[] | null;
}

export function toAnswers(given: unknown): readonly Answer[] {
  const several = Array.isArray(given) && !("command" in given);
  const results = (several ? given : [given]) as readonly Result[];
  return results.filter(hasColumns).map(toAnswer);
}

function hasColumns({ fields, columns }: Result): boolean {
  return (fields ?? columns ?? []).length > 0;
}

function toAnswer(result: Result): Answer {
  const rows = result.rows ?? [...(result as unknown as Rows)];
  return { rows, count: rows.length };
}
