/** A guard as probes need it: one that decides what was sent, and whose rows can be looked at and removed. Types only. */

import type { ElectionRow } from "./cell.js";
import type { FenceOperator } from "./operator.js";
import type { ReceivingGuard } from "./receiving.js";

/** The guard of a service's or consumer's database: of postgres, mysql, sqlite, file or memory. */
export interface ProbedLedger<T> extends ReceivingGuard<unknown, T> {
  inspect(): Promise<readonly ElectionRow[] | { readonly rows: readonly ElectionRow[] }>;
  readonly operator: Pick<FenceOperator, "sweep">;
}
