/** What fences a resource, for those who only look. */

import type { ElectionRow } from "../cell.js";
import { type GuardRow, isText } from "../row.js";
import { selectElections, selectRings } from "./looking.js";
import type { SqlResource } from "./resource.js";
import { type AppliedAttempt, decodeAttempts, decodeFenceRow } from "./rows.js";
import type { Answer, Statement } from "./session.js";
import { readText, type Tables } from "./tables.js";
import { inTransaction } from "./transaction.js";

export async function inspectRows<T>(resource: SqlResource<T>): Promise<readonly ElectionRow[]> {
  const { dialect, options } = resource;
  const { tables, timeoutMs, resource: name } = options;
  return inTransaction(resource, timeoutMs, async (transaction) => {
    const begin = dialect.begin("read", timeoutMs, "repeatable read");
    const answers = await transaction.ask([...begin, ...inspectStatements(tables, name)]);
    return decodeInspection(name, answers.slice(-2));
  });
}

/** In one snapshot; their answers go to `decodeInspection`. */
export function inspectStatements(tables: Tables, resource: string): readonly Statement[] {
  return [selectElections(tables, resource), selectRings(tables, resource)];
}

/** Throws GUARD_ROW_UNREADABLE. */
export function decodeInspection(
  resource: string,
  [elections, rings]: readonly Answer[],
): readonly ElectionRow[] {
  const rows: ElectionRow[] = [];
  for (const one of elections?.rows ?? []) {
    // A collation may find other names as well.
    if (readText(one["resource"]) !== resource) continue;
    const [namespace, election] = [readText(one["namespace"]), readText(one["election"])];
    const fenced = decodeFenceRow(resource, { rows: [one], count: 1 });
    if (fenced === undefined || !isText(namespace, 1_024) || !isText(election, 1_024)) continue;
    const ring = rings?.rows.filter(({ fence }) => fence === one["id"]) ?? [];
    const attempts = decodeAttempts(resource, { rows: ring, count: ring.length });
    rows.push({ namespace, election, row: fullRow(fenced.row, attempts) });
  }
  return rows;
}

/** As other guards keep it: the numbers among the last 64, and the result of the highest. */
function fullRow(row: GuardRow, attempts: readonly AppliedAttempt[]): GuardRow {
  const rising = attempts.toSorted((a, b) => a.seq - b.seq);
  const highest = rising.at(-1);
  if (highest === undefined) return row;
  const { seq, opId, result } = highest;
  return {
    ...row,
    seq,
    window: rising.map((one) => ({ seq: one.seq, opId: one.opId, returned: one.returned })),
    last: result === undefined ? { seq, opId } : { seq, opId, result },
  };
}
