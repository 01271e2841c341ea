/** Answers of pg and postgres.js: one result, or as many as there were statements. */

import type { Answer } from "../sql/session.js";

export function toAnswers(result: unknown): readonly Answer[] {
  // postgres.js answers one statement with an array of its rows, several with an array of such.
  const several = Array.isArray(result) && !("command" in result);
  return (several ? (result as readonly unknown[]) : [result]).map(toAnswer);
}

function toAnswer(result: unknown): Answer {
  const { rows, rowCount, count, command } = result as {
    readonly rows?: Answer["rows"];
    readonly rowCount?: number | null;
    readonly count?: number | null;
    readonly command?: string | null;
  };
  return {
    rows: rows ?? (Array.isArray(result) ? ([...result] as Answer["rows"]) : []),
    count: rowCount ?? count ?? 0,
    ...(typeof command === "string" && { command }),
  };
}
