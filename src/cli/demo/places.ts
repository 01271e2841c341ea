/** Where things lie in the demo's directory. */

import { join } from "node:path";

export interface Places {
  readonly root: string;
  readonly store: string;
  readonly ledger: string;
  readonly journal: string;
  /** The ledger of those who have no fence. */
  readonly plainLedger: string;
  readonly histories: string;
  /** What the leaders' work wrote down about its writes. */
  readonly work: string;
  /** What was told about the records of a store that keeps only the newest. */
  readonly records: string;
  readonly logs: string;
  /** What was run and which bounds were printed: all that judging needs besides histories and store. */
  readonly plan: string;
}

export function placesIn(root: string): Places {
  return {
    root,
    store: join(root, "store"),
    ledger: join(root, "ledger"),
    journal: join(root, "journal"),
    plainLedger: join(root, "ledger.json"),
    histories: join(root, "histories"),
    work: join(root, "work"),
    records: join(root, "records"),
    logs: join(root, "logs"),
    plan: join(root, "plan.json"),
  };
}

/** One file for each start of a process: what a killed one left is never written on. */
export function historyPath(places: Places, node: string, start: number): string {
  return join(places.histories, `${node}-${start}.jsonl`);
}

export function workPath(places: Places, node: string, start: number): string {
  return join(places.work, `${node}-${start}.jsonl`);
}

export function recordPath(places: Places, node: string, start: number): string {
  return join(places.records, `${node}-${start}.jsonl`);
}

export function logPath(places: Places, node: string, start: number): string {
  return join(places.logs, `${node}-${start}.log`);
}

/** Appears when a leader that was blocked in this term may go on. */
export function unblockPath(places: Places, node: string, token: number): string {
  return join(places.root, `unblock-${node}-${token}`);
}
