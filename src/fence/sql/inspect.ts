/** What fences a resource, for those who only look. */

import type { ElectionRow } from "../cell.js";
import { type GuardRow, isText } from "../row.js";
import type { SqlResource } from "./resource.js";
import { type AppliedAttempt, decodeAttempts, decodeFenceRow } from "./rows.js";
import { selectElections, selectRing } from "./statements.js";
import { readText } from "./tables.js";
import { inTransaction } from "./transaction.js";

export async function inspectRows<T>(resource: SqlResource<T>): Promise<readonly ElectionRow[]> {
  const { dialect, options } = resource;
  const { tables, timeoutMs, resource: name } = options;
  return inTransaction(resource, timeoutMs, async (transaction) => {
    const begin = dialect.begin("read", timeoutMs, "repeatable read");
    const found = (await transaction.ask([...begin, selectElections(tables, name)])).at(-1);
    const rows: ElectionRow[] = [];
    for (const one of found?.rows ?? []) {
      const [namespace, election] = [readText(one["namespace"]), readText(one["election"])];
      const fenced = decodeFenceRow(name, { rows: [one], count: 1 });
      if (fenced === undefined || !isText(namespace, 1_024) || !isText(election, 1_024)) continue;
      const ring = await transaction.ask([selectRing(tables, String(one["id"]))]);
      rows.push({ namespace, election, row: fullRow(fenced.row, decodeAttempts(name, ring[0])) });
    }
    return rows;
  });
}

/** As other guards keep it: the numbers among the last 64, and the result of the highest. */
export function fullRow(row: GuardRow, attempts: readonly AppliedAttempt[]): GuardRow {
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
